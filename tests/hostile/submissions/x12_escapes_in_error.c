/* family 71: escapes for the terminal in what the compiler says
 * task right
 * grade: build; points <= 0; reason: owned
 * without clean: build; effect: escapes */
#error "@ESC@[2J owned @ESC@]0;owned"
