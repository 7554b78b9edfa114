# family 67: a sheet that is filled in by lot: two numbers that nobody looks at, and one of two words
# lab lab9
# task prediction
# grade: wrong; points <= 2.73
# without guessing: wrong; points >= 11.25
mkdir -p handed/labs/lab9
sed -e 's/^student =.*/student = Ada/' -e 's/^\([a-z0-9_]*\) =$/\1 = 1/' -e 's/^sooner_1024 =.*/sooner_1024 = tree/' \
    "$HERE/../../labs/lab9/starter/prediction.ini" >handed/labs/lab9/prediction.ini
sed -i 's/^final =.*/final =/' handed/labs/lab9/prediction.ini
echo handed
