/** The words of the duel of bots. */

const ENGLISH = {
  title: "Bots' duel",
  text: "Bots play each other, and you watch with all cards open. The chart shows the score of each seat after every deal.",
  game: "Game",
  players: "Players",
  bot: "Bot",
  random: "random: any legal move",
  greedy: "greedy: takes what a rule of thumb likes best",
  search: "search: samples the hidden cards",
  start: "Start the duel",
  again: "Another duel",
  next: "Next deal",
  pace: "Seconds between moves",
  chart: "Score after each deal",
  deal: "Deal",
  waiting: "Waiting for the first deal to end.",
  deals: "Deals: {deals}",
  readRecord: "Read the record",
};

export type DuelWords = typeof ENGLISH;

const ITALIAN: DuelWords = {
  title: "Duello dei bot",
  text: "I bot giocano fra loro, a carte scoperte per chi guarda. Il grafico mostra il punteggio di ogni posto dopo ogni smazzata.",
  game: "Gioco",
  players: "Giocatori",
  bot: "Bot",
  random: "random: una mossa lecita qualsiasi",
  greedy: "greedy: prende ciò che una regola pratica preferisce",
  search: "search: prova le carte nascoste a campione",
  start: "Cominciare il duello",
  again: "Un altro duello",
  next: "Prossima smazzata",
  pace: "Secondi fra le mosse",
  chart: "Punteggio dopo ogni smazzata",
  deal: "Smazzata",
  waiting: "Si attende la fine della prima smazzata.",
  deals: "Smazzate: {deals}",
  readRecord: "Leggere la partita",
};

const GERMAN: DuelWords = {
  title: "Duell der Bots",
  text: "Bots spielen gegeneinander, und Sie sehen alle Karten offen. Die Kurven zeigen den Stand jedes Platzes nach jedem Spiel.",
  game: "Spiel",
  players: "Spieler",
  bot: "Bot",
  random: "random: irgendein erlaubter Zug",
  greedy: "greedy: nimmt, was eine Faustregel vorzieht",
  search: "search: probiert verdeckte Karten durch",
  start: "Duell beginnen",
  again: "Noch ein Duell",
  next: "Nächstes Spiel",
  pace: "Sekunden zwischen den Zügen",
  chart: "Stand nach jedem Spiel",
  deal: "Spiel",
  waiting: "Das erste Spiel ist noch nicht zu Ende.",
  deals: "Spiele: {deals}",
  readRecord: "Aufzeichnung lesen",
};

const ALL: Readonly<Record<string, DuelWords>> = { en: ENGLISH, it: ITALIAN, de: GERMAN };

/** The words of a language. */
export function duelWordsOf(language: string): DuelWords {
  return ALL[language] ?? ENGLISH;
}
