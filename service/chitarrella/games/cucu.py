"""Cucù as played in Campli: one card each, one chance to be rid of it, and the lowest card loses a token.

Source: S001, its Campli part. Rulings fill its gaps.
"""

from chitarrella.core.cards import CUCCO
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, choice_option
from chitarrella.exchange import effects, ending, inn_bargains
from chitarrella.exchange.options import PLAYERS, shared_options, shared_rules
from chitarrella.exchange.parts import CAT, CUCKOO, HORSE, HUNTER, INN
from chitarrella.exchange.reentry import DeclineReentry, Reenter
from chitarrella.exchange.reentry_terms import PerElimination
from chitarrella.exchange.round import draw_last
from chitarrella.exchange.rules import Rules
from chitarrella.exchange.showdown import AllLowest
from chitarrella.exchange.turns import Draw, Exchange, Keep

PAGE = "S001, Cucù of Campli"

CLAUSES = (
    Clause("CU-4", "From 2 to 20 play, each for himself; who is out, and spectators, can only help to pay a re-entry.", PAGE),
    Clause("CU-5", "The pack has forty cards: twenty faces, each twice.", PAGE),
    Clause("CU-6", "Cards are dealt and the word passes to the right; each seat has the next number's at its right hand.", PAGE),
    Clause("CU-7", "The last seat with tokens takes the pool; the holder of the lowest card of a deal loses a token.", PAGE),
    Clause("CU-8", "In each deal everybody has one card and one chance to be rid of it: with the next seat, the dealer with the pack.", PAGE),
    Clause("CU-10", "From high to low: XV, XIV, XIII, XII, XI, then X down to I, then NUL, SEC, MAS, LEO; MAT has no rank of its own.", PAGE),
    Clause("CU-11", "XI to XV are special, but only when they have just been dealt to the target of an exchange; all others are plain, MAT too.", "S001; ruling CU-R3"),
    Clause("CU-12", "The two copies of a face are alike in every rule, and nobody is shown which is which.", "ruling"),
    Clause("CU-20", "The players are seated as they were listed, and the agreed seat deals first.", "ruling CU-O5"),
    Clause("CU-21", "Or each is dealt a card face up, from the pack or from one copy of each face, in the order of the list, and they sit down from the highest, seat 0 and first dealer, to the lowest; MAT is the lowest, and of equal cards the earlier is higher.", "S001; ruling CU-R2"),
    Clause("CU-22", "At the start everybody pays the stake into the pool and gets the agreed tokens; both are public.", PAGE),
    Clause("CU-23", "A virgin has lost no token and bought none in this game; virginity does not come back.", PAGE),
    Clause("CU-24", "Who has a token is in the game, and only he is dealt a card.", PAGE),
    Clause("CU-31", "The pack is shuffled and cut for each deal and dealt from the bottom, card by card; nobody sees a card before its time.", "S001; ruling CU-R33"),
    Clause("CU-32", "The first speaker, at the dealer's right, is dealt a card and decides.", PAGE),
    Clause("CU-33", "One seat decides at a time; whatever another does, or what is not allowed, is refused and changes nothing.", PAGE),
    Clause("CU-34", "Each decides once in a deal about his card, and no decision is opened again.", PAGE),
    Clause("CU-35", "Any card may be exchanged, a special one too, also by who cannot lose with it.", PAGE),
    Clause("CU-36", "Special cards are announced truly, and without being asked; other talk binds nobody.", "ruling CU-R17"),
    Clause("CU-37", "A player is named by his seat, anybody else by a name; amounts are whole, each person is named once, and the sum must be right.", "ruling"),
    Clause("CU-40", "After a keep the next seat is dealt a card and decides; a special card that comes so has no effect and is not announced.", PAGE),
    Clause("CU-41", "To exchange, the next seat is dealt a card first, and its face decides what happens.", PAGE),
    Clause("CU-42", "A plain card is handed over: the two cards change places, face down.", "S001; ruling CU-R41"),
    Clause("CU-43", "When the effect is over the target decides about the card that he then has, also after an arrest.", "S001; ruling CU-R4"),
    Clause("CU-44", "The chain of a card is the unbroken row of exchanges that brought it; it runs over jumped horses and refused inns, and ends with a keep, a guest who keeps his card, a dealer's horse, a cuckoo, a hunter or a cat.", "S001; ruling CU-R11"),
    Clause("CU-45", "A horse is shown and jumped: the exchange goes to the seat beyond, and the holder of the horse has no decision.", "S001; ruling CU-R5"),
    Clause("CU-46", "At the dealer's horse the card is laid aside, and one of the pack is taken, without any effect: the top one, or where agreed the next.", "S001; ruling CU-R6"),
    Clause("CU-47", "A cuckoo is shown: no exchange, no penalty.", PAGE),
    Clause("CU-48", "A hunter is shown: no exchange, and the one who wanted it loses a token at once.", PAGE),
    Clause("CU-49", "A cat is shown: the one who wanted to exchange loses a token, and the whole chain of his card is undone, the last exchange first; nothing stops it.", "S001; rulings CU-R10, CU-R12"),
    Clause("CU-50", "An inn is announced, not shown; the guest keeps his card, or asks for a guarantee, whatever his card.", "S001; ruling CU-R17"),
    Clause("CU-51", "The host answers for the guest's nulla, or else inn and card change places.", PAGE),
    Clause("CU-52", "Where an announced inn lies is known to everybody for the rest of the deal.", PAGE),
    Clause("CU-53", "The debt binds the host, whatever becomes of the inn; the guest keeps the card he wanted to pass.", "ruling CU-R16"),
    Clause("CU-54", "Who loses the last token to a hunter or a cat is dead for the deal: his card counts for nothing, and he is asked about re-entry when the deal is over.", PAGE),
    Clause("CU-55", "The dealer exchanges with nobody, so he cannot die before the comparison.", PAGE),
    Clause("CU-56", "Nobody loses a token with a cuckoo before him: meeting a hunter or a cat he shows it, and as a host he does not pay; where agreed, the cuckoo is safe in the comparison only.", "S001; ruling CU-R13"),
    Clause("CU-60", "The dealer is dealt a card like everybody and decides last, always.", "S001; ruling CU-R8"),
    Clause("CU-61", "The dealer keeps, or lays his card aside for the next one of the pack, which has no effect; that ends the deal.", "S001; ruling CU-R7"),
    Clause("CU-62", "At most two cards more than there are players leave the pack in a deal.", "ruling CU-R34"),
    Clause("CU-65", "A card dealt or drawn is seen by its owner, the cards of an exchange by the two, cards shown by everybody; the pack by nobody.", PAGE),
    Clause("CU-66", "A seat sees its own card and what is public; what it may do, and why not, is told to it and to the referee only.", "ruling"),
    Clause("CU-67", "Everybody hears that a card was dealt, drawn or exchanged; its face hears who may see it.", "ruling"),
    Clause("CU-68", "After the comparison losses are told in the order in which the losing cards were spoken for, then re-entries, then the next dealer or the prizes.", "ruling"),
    Clause("CU-70", "When the dealer has decided, all who have a token turn their cards up; what they lose is lost together.", PAGE),
    Clause("CU-71", "Dead cards are not turned up and count for nothing.", PAGE),
    Clause("CU-72", "The live cards are those of players with a token: there is always the dealer's.", PAGE),
    Clause("CU-73", "Without a MAT everybody who holds the lowest live card loses a token.", PAGE),
    Clause("CU-74", "Nobody loses a token in the comparison for a cuckoo.", PAGE),
    Clause("CU-75", "One live MAT loses a token, and so do the lowest of the other cards, unless they are cuckoos.", "S001; ruling CU-R18"),
    Clause("CU-76", "Two live MAT rank between hunter and cuckoo.", PAGE),
    Clause("CU-77", "Only live cards say whether there are one or two MAT.", "ruling CU-R19"),
    Clause("CU-78", "For a guest who loses with a NUL the host pays, if he has a token left after his own loss and no cuckoo; else the guest pays himself.", "S001; rulings CU-R14, CU-R15, CU-R44"),
    Clause("CU-79", "Nobody has fewer than no tokens.", "ruling"),
    Clause("CU-90", "After the comparison all who have no token are settled together.", PAGE),
    Clause("CU-91", "If nobody has a token left, everybody re-enters free.", "S001; ruling CU-R20"),
    Clause("CU-92", "They are asked in the order of speech, whenever they lost the last token.", "S001; ruling CU-R22"),
    Clause("CU-93", "Each is counted as eliminated, whether or not he comes back.", "S001; ruling CU-R24"),
    Clause("CU-94", "He may come back while a virgin is in the game, re-entry is agreed and the price keeps within bounds; else he is out.", "S001; rulings CU-R23, CU-R25"),
    Clause("CU-95", "The price is the stake for the first who is counted, and twice as much for each further one.", PAGE),
    Clause("CU-96", "Who pays has new tokens and his old seat, and is no virgin; who declines is out for good.", "S001; ruling CU-R26"),
    Clause("CU-97", "Others may help to pay where that is agreed: those who are out and spectators, but nobody still in the game or still to be asked; whole amounts, at least 1, add up to the price.", "S001; ruling CU-R27"),
    Clause("CU-98", "Who helped to pay has a claim on that seat's prize until it gets new tokens again.", "S001; ruling CU-R28"),
    Clause("CU-99", "When all are settled and one player has tokens, he has won.", PAGE),
    Clause("CU-100", "By a free re-entry everybody has new tokens, nobody is a virgin, the pool stays and an agreement is void.", "S001; ruling CU-R29"),
    Clause("CU-101", "The next player in the game at the dealer's right deals.", "ruling CU-R1"),
    Clause("CU-102", "No pool passes 9 007 199 254 740 991; a re-entry that would lift it above is not offered.", "ruling CU-R51"),
    Clause("CU-104", "Before a deal the last two may each once propose how to share the pool, the dealer last; the other accepts or declines.", "S001; rulings CU-R30, CU-R31"),
    Clause("CU-105", "Shares belong to the persons, whoever survives, until the game is over or everybody re-enters free.", "ruling CU-R46"),
    Clause("CU-106", "The two play on until one of them is out.", PAGE),
    Clause("CU-107", "Under an agreement the one who does not deal must exchange I, II, III, IV, NUL, SEC, MAS and LEO.", "S001; ruling CU-R21"),
    Clause("CU-110", "The winner takes the pool; under an agreement, and within a syndicate, shares are rounded down and the rest is the survivor's, or the player's own.", "S001; ruling CU-R32"),
    Clause("CU-111", "The winner deals the next game as seat 0; the others follow as they sat, without those who leave, newcomers last, nobody named twice; from 2 to 20 play.", "S001; ruling CU-R38"),
)  # fmt: skip

VALUES = {"LEO": -3, "MAS": -2, "SEC": -1, "NUL": 0} | {
    rank: value
    for value, rank in enumerate(
        ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"), 1
    )
}
"""The value of each face at the showdown; the lowest loses."""
TURN_ACTIONS = (Keep(), Exchange(), Draw())
"""The moves of a seat on turn."""
LATER_ACTIONS = (
    *(Reenter(), DeclineReentry()),
    *(ending.ProposeAgreement(), ending.NoProposal(), ending.AcceptAgreement(), ending.DeclineAgreement()),
    ending.StartNextGame(),
)
"""The moves of who has lost the last token, of the last two, and after the game."""

HORSE_DEALER_DRAW = choice_option(
    "horse_dealer_draw",
    "Which card is taken at the dealer's horse: the top one, from which nothing is dealt, or the next.",
    "S001; ruling CU-R6",
    {"top": effects.Jump(draw_last), "next": effects.Jump()},
)
CUCKOO_PROTECTS = choice_option(
    "cuckoo_protects",
    "When a cuckoo saves the tokens of the player who has it.",
    "S001; ruling CU-R13",
    {"always": (CUCKOO,), "comparison": ()},
)


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        pack=CUCCO,
        values=VALUES,
        effects={
            INN: inn_bargains.InnGuarantee(),
            CAT: effects.UndoSwaps(),
            HORSE: agreed[HORSE_DEALER_DRAW],
            HUNTER: effects.Shoot(),
            CUCKOO: effects.StopExchange(),
        },
        actions=(
            *TURN_ACTIONS,
            *(inn_bargains.Stay(), inn_bargains.AskGuarantee(), inn_bargains.AgreeToPay(), inn_bargains.RefuseToPay()),
            *LATER_ACTIONS,
        ),
        comparison=AllLowest(two_fools=(VALUES[HUNTER] + VALUES[CUCKOO]) / 2),
        penalty=effects.DeadCard(),
        protectors=agreed[CUCKOO_PROTECTS],
        **shared_rules(agreed, PerElimination()),
    )


CUCU = GameEntry(
    key="cucu",
    title="Cucù",
    place="Campli, Abruzzo",
    description="Each has one card and may exchange it with a neighbour; the lowest costs a token.",
    sources=("S001",),
    players=PLAYERS,
    options=(
        *shared_options(PAGE, forces_exchange=True, forced_source=PAGE),
        HORSE_DEALER_DRAW,
        CUCKOO_PROTECTS,
    ),
    rules=rules,
    own_clauses=CLAUSES,
    citations={
        "not_your_turn": "CU-33",
        "bad_pack": "CU-5",
        "draw_seats bad_pack": "CU-21",
        "must_exchange": "CU-107",
        "wrong_contributions": "CU-97",
        "wrong_shares": "CU-37",
        "wrong_table": "CU-111",
    },
)

GAMES = (CUCU,)
