"""Lu Stù as played in Montorio al Vomano: Cucù, but cats send cards back, inns are bargained for, fools may win.

Source: S001, its Montorio part; what that does not mention is as in Campli. Rulings fill the gaps.
"""

from chitarrella.core.cards import CUCCO
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, choice_option, number_option
from chitarrella.exchange import effects, inn_bargains
from chitarrella.exchange.options import PLAYERS, shared_options, shared_rules
from chitarrella.exchange.parts import CAT, CUCKOO, HORSE, HUNTER, INN
from chitarrella.exchange.reentry_terms import PerReentry
from chitarrella.exchange.rules import Rules
from chitarrella.exchange.showdown import FirstLowest
from chitarrella.games.cucu import LATER_ACTIONS, TURN_ACTIONS, VALUES

PAGE = "S001, Lu Stù of Montorio"
AS_IN_CUCU = "S001, as in Campli"

CLAUSES = (
    Clause("LS-4", "From 2 to 20 play, each for himself; who is out, and spectators, can only help to pay a re-entry.", AS_IN_CUCU),
    Clause("LS-5", "The pack has forty cards, twenty faces twice; thirty-nine when a MAT is taken out.", PAGE),
    Clause("LS-6", "Cards are dealt and the word passes to the right; each seat has the next number's at its right hand.", AS_IN_CUCU),
    Clause("LS-7", "The last seat with tokens takes the pool; the holder of the lowest card of a deal loses a token.", AS_IN_CUCU),
    Clause("LS-8", "In each deal everybody has one card and one chance to be rid of it; cats send cards back.", PAGE),
    Clause("LS-10", "From high to low: XV, XIV, XIII, XII, XI, then X down to I, then NUL, SEC, MAS, LEO; MAT has no rank of its own.", PAGE),
    Clause("LS-11", "XI to XV act when they have just been dealt to the target of an exchange, and when a card that is sent back meets them; all others are plain, MAT too.", PAGE),
    Clause("LS-12", "The two copies of a face are alike in every rule, and nobody is shown which is which.", "ruling"),
    Clause("LS-20", "The players are seated as they were listed, and the agreed seat deals first.", "ruling"),
    Clause("LS-21", "Or each is dealt a card face up, from the pack or from one copy of each face, in the order of the list, and they sit down from the highest, seat 0 and first dealer, to the lowest; MAT is the lowest, and of equal cards the earlier is higher.", "S001, as in Campli; ruling LS-R2"),
    Clause("LS-22", "At the start everybody pays the stake into the pool and has the agreed number of tokens; both are public.", AS_IN_CUCU),
    Clause("LS-23", "A virgin has neither lost nor gained a token, nor bought any; a fool who gains and loses one with the same card has done neither.", "S001; ruling LS-R13"),
    Clause("LS-24", "Who has a token is in the game, and only he is dealt a card.", AS_IN_CUCU),
    Clause("LS-31", "The pack is shuffled and cut for each deal and dealt from the top, card by card; every card drawn is the next one.", "S001; ruling LS-R32"),
    Clause("LS-32", "From the agreed number of players in the game on, a deal is played with one MAT.", "S001; ruling LS-R22"),
    Clause("LS-33", "The first speaker is dealt a card and decides; whatever another does, or what is not allowed, is refused and changes nothing.", AS_IN_CUCU),
    Clause("LS-34", "Each decides once in a deal about his card; a card that is sent back is no decision and opens none again.", PAGE),
    Clause("LS-35", "Any card may be exchanged, a special one too.", AS_IN_CUCU),
    Clause("LS-36", "Special cards are announced truly, and without being asked; other talk binds nobody.", "ruling"),
    Clause("LS-37", "A player is named by his seat, anybody else by a name; amounts are whole, each person is named once, and the sum must be right.", "ruling"),
    Clause("LS-40", "After a keep the next seat is dealt a card and decides; a special card that comes so has no effect for now.", AS_IN_CUCU),
    Clause("LS-41", "To exchange, the next seat is dealt a card first, and its face decides what happens.", AS_IN_CUCU),
    Clause("LS-42", "A plain card is handed over: the two cards change places, face down.", AS_IN_CUCU),
    Clause("LS-43", "When the effect is over, cards sent back included, the target decides.", "S001; ruling LS-R7"),
    Clause("LS-45", "A horse is shown and jumped: the exchange goes to the seat beyond, and the holder of the horse has no decision.", AS_IN_CUCU),
    Clause("LS-46", "At the dealer's horse the card is laid aside and the next of the pack is taken, without any effect.", AS_IN_CUCU),
    Clause("LS-47", "A cuckoo is shown: no exchange, no penalty; it protects nobody from hunter or cat.", "S001; ruling LS-R42"),
    Clause("LS-48", "A hunter is shown: no exchange, and the one who wanted it loses a token at once.", AS_IN_CUCU),
    Clause("LS-49", "A cat is shown: the one who wanted to exchange loses a token, and if he is still in the game and not the first player he must try to give his card back.", "S001; rulings LS-R3, LS-R4"),
    Clause("LS-50", "An inn is announced, and the guest offers a price for it, money or a percentage of his prize not promised yet or both, as agreed, or gives up; offers and answers are public.", "S001; ruling LS-R17"),
    Clause("LS-51", "The host accepts or refuses; the guest may offer as often as was agreed.", "S001; ruling LS-R17"),
    Clause("LS-52", "A bargain: money is paid at once, a share is promised, the inn is turned up and exchanged; nothing undoes it.", "S001; ruling LS-R38"),
    Clause("LS-53", "Without a bargain the inn is turned up and stays, and the host answers for the guest's nulla.", PAGE),
    Clause("LS-54", "The debt binds the two seats, whatever cards come and go.", "ruling LS-R14"),
    Clause("LS-55", "A card is sent back to the nearest seat at the left that has a card, and so on to the first, if nothing stops it.", PAGE),
    Clause("LS-56", "A plain card met on the way back is exchanged, and its owner must try the next.", "S001; rulings LS-R11, LS-R36"),
    Clause("LS-57", "A horse met on the way back is shown and passed over; when it is the first player's nothing happens.", "S001; ruling LS-R12"),
    Clause("LS-58", "An inn that has changed hands is exchanged like a plain card; one that has not is shown and stops the card.", "S001; ruling LS-R9"),
    Clause("LS-59", "A cat or hunter met on the way back is shown and stops the card; whoever holds the card sent back loses a token.", "S001; ruling LS-R8"),
    Clause("LS-59a", "A cuckoo met on the way back is shown and stops the card.", PAGE),
    Clause("LS-60", "Who loses the last token to a cat or a hunter is settled on the spot.", PAGE),
    Clause("LS-61", "He may pay at once, while a virgin is in the game, and stays in the deal with his card.", "S001; rulings LS-R5, LS-R40"),
    Clause("LS-62", "Else he is out, his card is set aside, and nothing of it is sent back.", "S001; rulings LS-R4, LS-R33"),
    Clause("LS-63", "If one player is left he has won at once, without a comparison.", PAGE),
    Clause("LS-64", "The dealer exchanges with nobody, so nothing hits him in the middle of a deal.", PAGE),
    Clause("LS-65", "The dealer decides last, always: he keeps, or takes the next card of the pack, which has no effect.", "S001; ruling LS-R30"),
    Clause("LS-66", "At most two cards more than there are players leave the pack in a deal.", "ruling LS-R41"),
    Clause("LS-67", "A card dealt or drawn is seen by its owner, the cards of an exchange by the two, cards shown by everybody; the pack by nobody.", AS_IN_CUCU),
    Clause("LS-68", "A seat sees its own card and what is public; what it may do, and why not, is told to it and to the referee only.", "ruling"),
    Clause("LS-69", "Gains are told first, then losses in the order in which the losing cards were spoken for, then re-entries, then the next dealer or the prizes.", "ruling"),
    Clause("LS-70", "When the dealer has decided, all in the game turn their cards up; what they gain and lose counts together.", PAGE),
    Clause("LS-71", "The lowest card is always one: of equal ones that of the earlier speaker.", PAGE),
    Clause("LS-72", "Without a MAT the owner of the lowest card loses a token, be it a cuckoo.", PAGE),
    Clause("LS-74", "One MAT loses a token, and so does the lowest of the other cards, whatever it is.", PAGE),
    Clause("LS-75", "Two MAT gain a token each, and the lowest of the other cards loses one; if there is no other, the earlier MAT is the lowest.", "S001; ruling LS-R21"),
    Clause("LS-76", "Only cards in the comparison say whether there are one or two MAT.", "ruling"),
    Clause("LS-78", "For a guest who loses with a NUL the host pays, if he is in the game and has a token left after his own gain or loss; else the guest pays himself.", "S001; rulings LS-R14, LS-R16"),
    Clause("LS-79", "Gains and losses of one comparison are added up; nobody has fewer than no tokens, and there is no upper bound.", "ruling"),
    Clause("LS-90", "After the comparison all who were in it and have no token are settled; who was settled before is not asked again.", "ruling LS-R44"),
    Clause("LS-91", "If nobody has a token left, everybody re-enters free.", PAGE),
    Clause("LS-92", "They are asked in the order of speech.", "ruling LS-R23"),
    Clause("LS-94", "A player may come back while a virgin is in the game, re-entry is agreed and the price keeps within bounds; else he is out.", PAGE),
    Clause("LS-95", "The price is the stake, and doubles with each re-entry that is paid.", "S001; ruling LS-R24"),
    Clause("LS-96", "Who pays has new tokens and his old seat, and is no virgin; who declines is out of the game.", AS_IN_CUCU),
    Clause("LS-97", "Others may help to pay where that is agreed: those who are out and spectators, but nobody still in the game or still to be asked; whole amounts, at least 1, add up to the price.", "S001; ruling LS-R27"),
    Clause("LS-98", "Who helped to pay has a claim on that seat's prize until it gets new tokens; promises last as long as the game.", "rulings LS-R27, LS-R38"),
    Clause("LS-99", "When all are settled and one player has tokens, he has won.", AS_IN_CUCU),
    Clause("LS-100", "By a free re-entry everybody has new tokens, nobody is a virgin, the pool stays and an agreement is void.", AS_IN_CUCU),
    Clause("LS-101", "The next player in the game at the dealer's right deals.", "ruling LS-R2"),
    Clause("LS-102", "No pool passes 9 007 199 254 740 991; a re-entry that would lift it above is not offered.", "ruling LS-R43"),
    Clause("LS-104", "Before a deal the last two may each once propose how to share the pool, the dealer last; the other accepts or declines.", AS_IN_CUCU),
    Clause("LS-105", "Shares belong to the persons, whoever survives, until the game is over or everybody re-enters free.", AS_IN_CUCU),
    Clause("LS-106", "The two play on until one of them is out.", AS_IN_CUCU),
    Clause("LS-107", "Where agreed, the one of two with an agreement who does not deal must exchange I, II, III, IV, NUL, SEC, MAS and LEO.", "S001, Campli only; rulings LS-R25, LS-R26"),
    Clause("LS-110", "The winner takes the pool; under an agreement shares are rounded down and the rest is the survivor's.", AS_IN_CUCU),
    Clause("LS-111", "From what the winner receives each of his promises is paid to the host, rounded down; all other promises lapse.", "S001; ruling LS-R18"),
    Clause("LS-112", "What remains is divided among the syndicate, rounded down, the rest to the player.", AS_IN_CUCU),
    Clause("LS-115", "The winner deals the next game as seat 0; the others follow as they sat, without those who leave, newcomers last, nobody named twice; from 2 to 20 play.", AS_IN_CUCU),
)  # fmt: skip

SINGLE_MATTO_FROM = number_option(
    "single_matto_from",
    "From how many players in the game on a deal is played with one MAT; 0 for never.",
    "S001; ruling LS-R22",
    0,
    2,
    20,
    {"0": 0},
)
INN_OFFER_ROUNDS = number_option("inn_offer_rounds", "How many offers a guest may make.", "ruling LS-R17", 3, 1, 10)
INN_OFFER_KINDS = choice_option(
    "inn_offer_kinds",
    "What a guest may offer for an inn: money, a share of the prize, or both.",
    PAGE,
    {"both": {}, "money": {"max_percent": 0}, "pool_share": {"max_money": 0}},
)


def rules(agreed: Choices) -> Rules:
    inn = inn_bargains.InnBargain(agreed[INN_OFFER_ROUNDS], **agreed[INN_OFFER_KINDS])
    return Rules(
        agreed,
        pack=CUCCO,
        values=VALUES,
        effects={
            INN: inn,
            CAT: effects.SendBack(),
            HORSE: effects.Jump(),
            HUNTER: effects.Shoot(),
            CUCKOO: effects.StopExchange(),
        },
        actions=(
            *TURN_ACTIONS,
            *LATER_ACTIONS,
            *(inn_bargains.MakeOffer(inn), inn_bargains.NoOffer()),
            *(inn_bargains.AcceptOffer(), inn_bargains.RefuseOffer(inn)),
        ),
        comparison=FirstLowest(),
        penalty=effects.ImmediatePenalty(),
        single_fool_from=agreed[SINGLE_MATTO_FROM],
        **shared_rules(agreed, PerReentry()),
    )


LU_STU = GameEntry(
    key="lu-stu",
    title="Lu Stù",
    place="Montorio al Vomano, Abruzzo",
    description="Each has one card and may exchange it with a neighbour; guests at the inn bargain, the lowest pays.",
    sources=("S001",),
    players=PLAYERS,
    options=(
        *shared_options(AS_IN_CUCU, forces_exchange=False, forced_source="S001, Campli only; ruling LS-R25"),
        SINGLE_MATTO_FROM,
        INN_OFFER_ROUNDS,
        INN_OFFER_KINDS,
    ),
    rules=rules,
    own_clauses=CLAUSES,
    citations={
        "not_your_turn": "LS-33",
        "bad_pack": "LS-5",
        "draw_seats bad_pack": "LS-21",
        "must_exchange": "LS-107",
        "wrong_offer": "LS-50",
        "wrong_contributions": "LS-97",
        "wrong_shares": "LS-37",
        "wrong_table": "LS-115",
    },
)

GAMES = (LU_STU,)
