#!/usr/bin/env bash
# hpclab featuremaps: files, list and sizes; a user's picture; --show; what it refuses.
. tests/tap.sh
hpclab=$PWD/build/hpclab
maps=$scratch/maps

check 'one network' "$hpclab" featuremaps --network lenet --out "$maps"
shows '^1 maps in ' 'says how many'
check 'the file' test -s "$maps/lenet-conv2.npy"
check 'the list' grep -qx 'lenet-conv2.npy' "$maps/files.txt"
check 'the sizes' grep -qx 'lenet-conv2.npy 20 11 11 0.9500' "$maps/sizes.txt"
check 'it is shown' "$hpclab" featuremaps --show "$maps/lenet-conv2.npy"
shows ': 20 x 11 x 11, 0.9500 of it zero, from 0 to ' 'with its shape and zeros'

cp "$maps/lenet-conv2.npy" "$scratch/before.npy"
check 'again' "$hpclab" featuremaps --network lenet --out "$maps"
check 'gives the same' cmp "$scratch/before.npy" "$maps/lenet-conv2.npy"
printf 'P2 4 4 9\n0 1 2 3 4 5 6 7 8 9 8 7 6 5 4 3\n' >"$scratch/a.pgm"
check 'on a picture' "$hpclab" featuremaps --network lenet --out "$maps" --image "$scratch/a.pgm"
fails 1 'gives another' cmp -s "$scratch/before.npy" "$maps/lenet-conv2.npy"

fails 2 'a picture of another kind' "$hpclab" featuremaps --network lenet --image Makefile --out "$maps"
shows '^hpclab: Makefile: no such picture, expected a PGM or PPM' 'is named'
fails 2 'an unknown network' "$hpclab" featuremaps --network vgg16 --out "$maps"
shows "unknown network 'vgg16', expected vgg19" 'is named'
fails 2 'no .npy' "$hpclab" featuremaps --show Makefile
shows '^hpclab: Makefile: no .npy file' 'is named'
fails 2 'an unknown option' "$hpclab" featuremaps --frob
fails 2 'a seed that is none' "$hpclab" featuremaps --seed 1x
check '--help' "$hpclab" featuremaps --help
shows 'Example: ' 'has an example'

done_testing
