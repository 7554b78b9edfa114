/* family 75: words that turn the line's direction, in what the compiler says
 * task right
 * grade: build; points <= 0; reason: owned
 * structural: what tools print becomes ASCII */
#error "‮owned⁦"
