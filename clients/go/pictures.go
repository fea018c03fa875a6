// Pictures of cards as text.

package chitarrella

// Picture gives the picture of a card as text, such as "10♥" or "A🪙"; pack is the name that the catalogue has for it.
// Of what is no card of such a pack it gives the text itself.
func Picture(card, pack string) string {
	if picture, known := pictures[pack][card]; known {
		return picture
	}
	return card
}
