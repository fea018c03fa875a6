// Cards as text with suit symbols.

package chitarrella

// CardImage returns a card with the symbol of its suit, such as "10♥" or "A🪙"; pack is the name of the pack in the
// catalogue. If the pack has no such card, it returns card itself.
func CardImage(card, pack string) string {
	if image, known := cardImages[pack][card]; known {
		return image
	}
	return card
}
