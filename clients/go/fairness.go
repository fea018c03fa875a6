// Local verification of shuffles: the service's commit-reveal shuffle, implemented again.

package chitarrella

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
)

// IsFair reports whether a shuffle follows from its commitment; pack is the pack of the [Game], not needed for a lot. A
// shuffle that was supplied by the referee, or whose nonce is not published yet, cannot be verified: false.
func IsFair(shuffle *Shuffle, pack []string) bool {
	promised := sha256.Sum256([]byte(shuffle.GetNonce()))
	if shuffle.GetNonce() == "" || !strings.EqualFold(hex.EncodeToString(promised[:]), shuffle.GetCommitment()) {
		return false
	}
	if lots := shuffle.GetLots(); len(lots) > 0 {
		return shuffle.Amount != nil && shuffled(shuffle, slices.Sorted(slices.Values(lots)))[0] == *shuffle.Amount
	}
	index := make(map[string]int, len(pack))
	for at, card := range slices.Backward(pack) {
		index[card] = at
	}
	cards := slices.Clone(shuffle.GetCards())
	for _, card := range cards {
		if _, known := index[card]; !known {
			return false
		}
	}
	slices.SortStableFunc(cards, func(a, b string) int { return cmp.Compare(index[a], index[b]) })
	return len(cards) > 0 && slices.Equal(shuffled(shuffle, cards), shuffle.GetCards())
}

// shuffled shuffles things, given in canonical order, into the order of the shuffle.
func shuffled[T any](shuffle *Shuffle, things []T) []T {
	numbers := numbersOf(shuffle)
	for last := len(things) - 1; last > 0; last-- {
		other := numbers.below(uint64(last) + 1)
		things[last], things[other] = things[other], things[last]
	}
	return things
}

// numbers is an endless stream of 64-bit numbers: SHA-256 of a key and a block counter, four numbers to a block.
type numbers struct {
	key   [sha256.Size]byte
	block uint64
	left  []byte
}

func numbersOf(shuffle *Shuffle) *numbers {
	var text strings.Builder
	fmt.Fprintf(&text, "chitarrella shuffle 1\n%s\n%d\n", shuffle.GetNonce(), shuffle.GetNumber())
	for _, one := range shuffle.GetClientSeeds() {
		fmt.Fprintf(&text, "%d %s\n", one.GetSeat(), one.GetSeed())
	}
	return &numbers{key: sha256.Sum256([]byte(text.String()))}
}

func (n *numbers) next() uint64 {
	if len(n.left) == 0 {
		digest := sha256.Sum256(binary.BigEndian.AppendUint64(n.key[:], n.block))
		n.left = digest[:]
		n.block++
	}
	number := binary.BigEndian.Uint64(n.left)
	n.left = n.left[8:]
	return number
}

// below returns a uniform number below span: numbers above the last multiple of span are rejected.
func (n *numbers) below(span uint64) uint64 {
	surplus := (math.MaxUint64%span + 1) % span
	for {
		if number := n.next(); number <= math.MaxUint64-surplus {
			return number % span
		}
	}
}
