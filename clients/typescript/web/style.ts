/** The style of a table, in its shadow tree: one screen of felt, cards and plates, light and dark. */

const RULES = `
:host {
  --felt: var(--chitarrella-felt, #1f6b48);
  --on-felt: var(--chitarrella-on-felt, #f7f3e6);
  --paper: var(--chitarrella-paper, #fffdf5);
  --ink: var(--chitarrella-ink, #1d1b16);
  --accent: var(--chitarrella-accent, #ffd257);
  --red: #b3261e;
  --blue: #0b4fa0;
  --shade: #0004;
  display: block; height: var(--chitarrella-height, min(100dvh, 48rem)); container-type: size; color: var(--on-felt);
  font: var(--chitarrella-font, 1rem/1.35 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
}
:host([compact]) { height: var(--chitarrella-height, 26rem); }
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
h2, h3, p, dl, dd, ol, ul, blockquote, fieldset { margin: 0; padding: 0; }
button { background: none; color: inherit; cursor: pointer; font: inherit; touch-action: manipulation; }
.unseen, .bar .connection.well { clip-path: inset(50%); height: 1px; overflow: hidden; padding: 0; position: absolute; white-space: nowrap; width: 1px; }
.table { --cap: var(--chitarrella-card-width, 110px); --tall: 27cqh; --ratio: .5; background: var(--felt);
  background-image: radial-gradient(ellipse 75% 65% at 50% 42%, #fff2, transparent 70%),
    radial-gradient(ellipse at 50% 45%, transparent 55%, #0005);
  display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100%; overflow: hidden; overflow-wrap: anywhere; position: relative; }
.bar { align-items: center; background: var(--shade); display: flex; gap: .2rem .8rem; min-height: 2.6rem; padding: .15rem .6rem; position: relative; }
.bar h2 { font-family: Georgia, serif; font-size: 1.05rem; font-weight: 600; line-height: 1.15; }
.bar .length { font-size: .78rem; line-height: 1.15; opacity: .92; }
.bar > :first-child { flex: 1 1 4rem; min-width: 0; }
.bar .connection { background: var(--ink); border-radius: 0 0 .4rem .4rem; color: #fff; font-size: .8rem; padding: 0 .5rem; pointer-events: none; position: absolute; right: .5rem; top: 100%; z-index: 4; }
:is(.connection, .piles .count, .clock, .message, .moves):empty { display: none; }
.scores { display: flex; flex: 0 1 auto; gap: .3rem; list-style: none; margin-left: auto; min-width: 0; }
.scores li { background: var(--shade); border-bottom: 3px solid var(--side, transparent); border-radius: .4rem; display: grid; font-size: .72rem; line-height: 1.1;
  max-width: 8rem; padding: .15rem .5rem; text-align: center; }
.scores span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.scores b { font-size: 1.05rem; font-variant-numeric: tabular-nums; }
.icon { align-items: center; border: 1px solid #fff7; border-radius: .5rem; display: grid; flex: none; height: 2.25rem;
  justify-content: center; padding: 0; width: 2.5rem; }
.icon:hover { background: #fff2; }
.icon i, .icon i::before, .icon i::after { background: currentColor; border-radius: 1px; content: ""; display: block; height: 2px; width: 1.1rem; }
.icon i { position: relative; } .icon i::before { position: absolute; top: -6px; } .icon i::after { position: absolute; top: 6px; }
.board { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) 2.5rem minmax(var(--strip, 0), auto) auto; min-height: 0; outline: none; position: relative; }
.board > * { grid-column: 1; }
.side-0 { --side: #ffd257; } .side-1 { --side: #8fd0ff; } .side-2 { --side: #ffb3a0; } .side-3 { --side: #d5b8ff; }

.arena { --tw: min(110px, 23cqw, 35cqh * var(--ratio)); container-type: size; grid-row: 1; min-height: 0; overflow: hidden; position: relative; }
.round .seat { left: calc((100% - 7.3rem) / 2 * (1 + var(--x)) + .35rem * (0 - var(--x))); position: absolute; top: calc((100% - 4.1rem) / 2 * (1 + var(--y)) + .4rem * (0 - var(--y))); width: 7.3rem; }
.rows { display: grid; gap: .25rem; grid-template-columns: repeat(auto-fill, minmax(5.6rem, 1fr)); max-height: 100%; overflow-y: auto; padding: .35rem; }
.seat { background: var(--shade); border: 2px solid transparent; border-left-color: var(--side, transparent); border-radius: .6rem; display: grid; gap: 0 .35rem;
  grid-template-columns: auto minmax(0, 1fr); line-height: 1.15; padding: .25rem .35rem; text-align: left; }
.seat h3, .prompt h3 { font-size: .86rem; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.avatar { align-items: center; background: var(--side, #e7dfc8); border-radius: 50%; color: #1d1b16; display: grid; font: 600 .95rem Georgia, serif; grid-row: span 2; height: 1.9rem; justify-content: center;
  position: relative; width: 1.9rem; }
.avatar i { background: var(--paper); border: 1px solid var(--ink); border-radius: 50%; bottom: -.3rem; color: var(--ink); font: 700 .58rem/1 system-ui, sans-serif; padding: .12rem .2rem; position: absolute; right: -.35rem; }
.numbers > :not(.zone) { overflow-wrap: normal; hyphens: auto; }
.round .numbers:has(> :nth-child(5)) { grid-column: 1 / -1; }
.numbers { align-items: center; display: flex; flex-wrap: wrap; font-size: .74rem; gap: 0 .4rem; min-height: 1em; }
.pips { color: var(--accent); letter-spacing: .05em; }
.seat small { color: var(--side); font-size: .7rem; grid-column: 2; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.numbers .zone { display: flex; flex-wrap: wrap; margin-right: .55rem; min-height: 1.4rem; }
.numbers .zone[data-size="0"] { display: none; }
.zone { position: relative; }
.hidden { display: flex; }
.numbers .zone .card { border-radius: .15rem; margin-right: -.45rem; width: calc(1.7rem * var(--ratio)); }
.seat .zone > .card { width: calc(3rem * var(--ratio)); }
.seat .zone > .card ~ .card { margin-left: -.4rem; }
.seat .zone .all { bottom: 0; }
.rows .seat { align-content: start; grid-template-columns: minmax(0, 1fr) auto; min-height: 3.9rem; }
.rows .avatar { display: none; } .rows :is(h3, .numbers, small) { grid-column: 1 / -1; }
.rows .seat .zone .card { width: calc(2.3rem * var(--ratio)); }
.rows:not(:has(> :nth-child(9))) .seat .zone .card { width: calc(4.8rem * var(--ratio)); }
.seat.turn { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent), 0 0 1rem rgb(255 210 87 / .35); }
.seat.taker { animation: glow .5s; border-color: var(--accent); }
.seat.out { opacity: .6; } .seat .pile { height: 0; }
.tag { background: var(--accent); border-radius: .3rem; color: #1d1b16; font-size: .68rem; margin-top: .15rem; overflow-wrap: normal; padding: .05rem .2rem; white-space: nowrap; }
@keyframes glow { 50% { box-shadow: 0 0 0 .4rem rgb(255 210 87 / .5); } }

.card { aspect-ratio: var(--ratio); background: var(--paper); border: 0; border-radius: calc(var(--own, 60px) * .07); box-shadow: 0 1px 3px #0007; color: var(--ink); display: inline-block; flex: none;
  font: inherit; overflow-wrap: anywhere; padding: 0; position: relative; text-align: center; }
.card img { border-radius: inherit; display: block; height: 100%; width: 100%; }
.face { align-content: center; display: grid; height: 100%; padding: .1rem; }
.rank { font-size: 1.2em; font-weight: bold; line-height: 1.1; }
.suit { font-size: .7em; line-height: 1.1; }
.arena:has(.round > :nth-child(4)) { --mid: 63%; }
.middle.ring .laid { left: calc(50% + var(--x) * var(--tw) * 1.12 - var(--tw) / 2); position: absolute; top: clamp(min(4.3rem, 18%), var(--mid, 55%) + var(--y) * var(--th) * .56 - var(--th) / 2, 100% - var(--th) - .2rem); }
.middle { --th: calc(var(--tw) / var(--ratio)); }
.middle.many { --tw: min(110px, 17cqw, 26cqh * var(--ratio)); }
.middle.row { --tw: min(110px, 92cqw / var(--cols) - .4rem, (56cqh / var(--rows) - .4rem) * var(--ratio));
  align-content: center; display: flex; flex-wrap: wrap; gap: .4rem; inset: auto 0 .4rem; justify-content: center; max-height: 62%; padding: .4rem; position: absolute; }
.round + .middle.row + .corner { bottom: auto; top: .4rem; } .round + .middle.row + .corner .piles { --pw: min(2.4rem, 15cqh * var(--ratio)); }
.rows + .middle.row { --tw: min(70px, 13cqw, 24cqh * var(--ratio)); }
.middle .card { width: var(--tw); }
.laid small { display: block; font-size: .72rem; line-height: 1.1; max-width: var(--tw); overflow: hidden; text-align: center; text-overflow: ellipsis; white-space: nowrap; }
.middle .takes { box-shadow: 0 0 0 3px var(--accent), 0 0 1.2rem .3rem rgb(255 210 87 / .6); }
.corner { bottom: .3rem; display: grid; gap: .25rem; justify-items: start; left: .5rem; max-width: 45%; pointer-events: none; position: absolute; }
.middle.many ~ .corner { max-width: 31%; } .rows ~ .corner { justify-items: end; left: auto; right: .5rem; }
.piles { display: flex; gap: .5rem; align-items: end; }
.piles .zone { display: flex; }
.piles { --pw: min(3.4rem, 24cqh * var(--ratio)); }
.piles .card { width: var(--pw); }
.piles .card ~ .card, .piles .hidden .card ~ .card { margin-left: calc(1.5px - var(--pw)); }
.piles .zone > .card ~ .card { margin-left: -1.4rem; }
:is(.piles .count, .zone .all) { background: var(--ink); border-radius: .6rem; bottom: -.2rem; color: #fff; font-size: .7rem; font-weight: 600; line-height: 1; padding: .15rem .35rem; position: absolute; right: -.4rem; white-space: nowrap; }
.chips { display: flex; flex-wrap: wrap; gap: .2rem; }
.chip { background: var(--shade); border-radius: 1rem; font-size: .76rem; line-height: 1.2; padding: .12rem .55rem; }

.prompt { align-items: center; background: var(--shade); display: flex; gap: .5rem; grid-row: 2; min-width: 0; padding: 0 .5rem; }
.prompt .me { align-items: center; border-left: 3px solid var(--side, transparent); column-gap: .4rem; display: grid; flex: none; grid-template-columns: auto auto; line-height: 1.1; max-width: 9.5rem; padding-left: .3rem; }
.prompt .me .numbers { flex-wrap: nowrap; grid-column: 2; white-space: nowrap; }
.prompt .numbers .zone { min-height: 1rem; } .prompt .zone .all { align-self: center; background: none; margin-left: .6rem; position: static; } .prompt .numbers .zone .card { margin-right: -.2rem; width: calc(1.05rem * var(--ratio)); }
.prompt .me.turn .avatar { box-shadow: 0 0 0 3px var(--accent); }
.said { display: -webkit-box; flex: 1; font-size: .9rem; line-height: 1.15; max-height: 2.3em; min-width: 0; overflow: hidden; text-align: center; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.said.mine { color: var(--accent); font-weight: 600; }
.clock { background: var(--ink); border-radius: .4rem; color: #fff; flex: none; font-variant-numeric: tabular-nums; font-weight: 600; padding: .1rem .4rem; }
.clock.late { background: var(--red); }
.small { border: 1px solid #fff7; border-radius: .45rem; flex: none; font-size: .8rem; min-height: 1.9rem; padding: .1rem .55rem; }
.small:disabled { cursor: default; opacity: .55; }
.small:hover { background: #fff2; }

.board.strip { --strip: 3.3rem; }
.moves { align-items: center; display: flex; gap: .4rem; grid-row: 3; flex-wrap: wrap; justify-content: center; max-height: max(7rem, 20cqh); overflow: hidden auto; padding: .2rem .5rem; scrollbar-width: thin; }
.moves fieldset { align-items: center; border: 0; display: flex; flex: 0 1 auto; flex-wrap: wrap; gap: .3rem; justify-content: center; min-width: 0; }
.moves legend { float: left; font-size: .82rem; line-height: 1.15; max-width: 11rem; padding: 0 .2rem; }
.moves button, .moves select, .over button, .over ::slotted(button) { background: var(--paper); border: 1px solid var(--ink); border-radius: .55rem; box-shadow: 0 2px 0 #0006; color: var(--ink); cursor: pointer; flex: none; font: inherit;
  font-size: .95rem; max-width: 100%; min-height: 2.5rem; min-width: 2.5rem; padding: .2rem .8rem; }
.moves select { max-width: 60cqw; }
.moves button.primary, .over button.primary { background: var(--accent); color: #1d1b16; font-weight: 600; }
.moves button:active, .over button:active { box-shadow: none; translate: 0 2px; }

.own { display: grid; gap: .3rem; grid-row: 4; justify-items: center; padding: .35rem 0 .6rem; position: relative; }
.hand { --count: max(var(--n), var(--deal, 2), 2); --room: calc(100cqw - 1.6rem);
  --own: min(var(--cap), var(--tall) * var(--ratio), var(--room) / (1 + (var(--count) - 1) * .34));
  --step: min(var(--own) + 6px, (var(--room) - var(--own)) / (var(--count) - 1));
  display: flex; height: calc(var(--own) / var(--ratio)); justify-content: center; width: 100%; }
.hand .card { width: var(--own); }
.hand .card ~ .card { margin-left: calc(var(--step) - var(--own)); }
.hand.dummy { --tall: 11cqh; --count: max(var(--n), 2); align-items: center; }
.whose { font-size: .8rem; margin-right: .5rem; overflow-wrap: normal; }
.hand .faced { box-shadow: 0 0 0 2px #8fd0ff; }
button.card { transition: translate .15s, box-shadow .15s; }
button.card.legal { translate: 0 -.35rem; }
button.card.legal:hover { translate: 0 -.8rem; }
button.card.dim img, button.card.dim .face { filter: brightness(.76) saturate(.8); }
button.card.dim { background: #b9b5a8; cursor: help; }
button.card[aria-pressed="true"] { box-shadow: 0 0 0 3px var(--accent); translate: 0 -.7rem; }
button.card.hinted { box-shadow: 0 0 0 3px #d5b8ff, 0 0 .8rem .2rem #d5b8ff; }
button.card.allowed { box-shadow: 0 0 0 3px var(--accent), 0 0 .8rem .2rem var(--accent); }
button.card.refused { box-shadow: 0 0 0 3px var(--red); }
button.card.sent { animation: sent .9s infinite alternate; box-shadow: 0 0 0 3px var(--accent); translate: 0 -2.2rem; z-index: 2; }
@keyframes sent { to { opacity: .55; } }
.clause, .mark { bottom: 0; font-weight: bold; left: 0; position: absolute; }
.clause { background: var(--red); color: #fff; padding: .1rem .35rem; }
.mark { background: var(--accent); border-radius: 50%; color: #1d1b16; height: 1.3rem; line-height: 1.3rem; margin: .15rem; width: 1.3rem; }
.layer { inset: 0; overflow: hidden; pointer-events: none; position: absolute; z-index: 3; }
.layer .flying { border-radius: .3rem; box-shadow: 0 3px 8px #0008; margin: 0; position: absolute; }

.message { align-self: end; background: var(--ink); border-radius: .5rem; box-shadow: 0 4px 14px #0007; color: #fff; font-size: .92rem; grid-row: 1; justify-self: center; margin: 0 .6rem .4rem; max-width: 34rem; padding: .45rem .8rem; z-index: 4; }
.refusal, .over { align-self: end; background: var(--paper); border-radius: .7rem; box-shadow: 0 6px 24px #0008; color: var(--ink); grid-row: 1; justify-self: center; margin: 0 .5rem .4rem; max-height: calc(100% - .6rem);
  max-width: 36rem; overflow-y: auto; padding: .7rem .9rem; width: calc(100% - 1rem); z-index: 4; }
.board:where(:has(.middle.ring)) > .refusal { align-self: end; grid-row: 1 / 3; }
.refusal { align-self: start; border-left: .35rem solid var(--red); display: grid; margin-top: .3rem; gap: .35rem; grid-template-columns: minmax(0, 1fr) auto; }
.refusal h3 { color: var(--red); font-size: .95rem; }
.refusal > div { grid-column: 1 / -1; }
.refusal blockquote { border-left: 3px solid #8886; margin: .3rem 0; padding-left: .6rem; }
.refusal a { color: var(--blue); display: inline-block; min-height: 1.5rem; }
.refusal button { border: 1px solid var(--ink); border-radius: .45rem; grid-column: 2; grid-row: 1; min-height: 2rem; padding: .1rem .7rem; }
.over { align-self: center; display: grid; grid-row: 1 / -1; gap: .6rem; outline: none; }
.over h3 { font: 600 1.3rem Georgia, serif; }
.over .result { font-size: 1.15rem; font-weight: 600; }
.over ul { display: grid; gap: .15rem; padding-left: 1.1rem; }
:is(.over, .menu) table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
.over th, .over td, .menu th, .menu td { border-bottom: 1px solid #8884; overflow-wrap: normal; padding: .2rem .4rem; text-align: right; }
.over th:first-child, .menu th:first-child { text-align: left; }
.took { align-items: center; display: grid; gap: .15rem .6rem; grid-template-columns: minmax(3rem, auto) minmax(0, 1fr) auto; }
.took b { display: grid; font-size: 1.1rem; font-variant-numeric: tabular-nums; line-height: 1.1; text-align: right; } .took small { font-size: .72rem; font-weight: normal; max-width: 4.5rem; }
.took .cards { display: flex; flex-wrap: wrap; }
.took .card { margin: 0 -.75rem .1rem 0; width: 1.7rem; } .took .cards { padding-right: .8rem; }
.over footer { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: flex-end; position: sticky; bottom: -.7rem; background: var(--paper); padding: .3rem 0; }

.menu { background: var(--paper); border: 0; color: var(--ink); height: 100dvh; inset: 0 0 0 auto; margin: 0 0 0 auto; max-height: none; max-width: none; padding: .6rem 1rem 0; position: fixed; width: min(27rem, 100vw); }
.menu[open] { display: flex; flex-direction: column; }
.menu > div { flex: 1; min-height: 0; overflow-y: auto; padding-bottom: 2rem; }
.menu::backdrop { background: #0007; }
.menu > header { align-items: center; background: var(--paper); display: flex; gap: .5rem; justify-content: space-between; padding-bottom: .4rem; }
.menu > div > :is(section, slot) { border-top: 1px solid #8884; display: block; padding: .8rem 0; }
.menu > div > section:empty, .menu section:has(> :only-child:empty) { display: none; }
.menu h3 { font: 600 1.05rem Georgia, serif; margin-bottom: .4rem; }
.menu h2 { font: 600 1.25rem Georgia, serif; }
.menu button, .menu select { background: none; border: 1px solid #888; border-radius: .45rem; cursor: pointer; font: inherit; min-height: 2.3rem; padding: .15rem .8rem; color: inherit; }
.menu ol { padding-left: 0; list-style: none; } .menu .lines { font-size: .9rem; max-height: 16rem; overflow-y: auto; }
.menu .lines li { padding: .1rem 0; }
.menu table { font-size: .9rem; overflow-wrap: normal; }
.menu label { align-items: center; display: flex; gap: .6rem; justify-content: space-between; }
.menu .trick { align-items: center; display: grid; gap: .5rem; grid-template-columns: 5rem minmax(0, 1fr); margin-bottom: .25rem; }
.menu .trick .zone { display: flex; flex-wrap: wrap; gap: .2rem; } .menu .trick .card { width: 2rem; }
.menu .sheet { overflow-x: auto; } .facts .wide { grid-column: 1 / -1; text-align: left; }
.menu .tricks { max-height: 18rem; overflow-y: auto; }
.facts { display: grid; font-size: .9rem; gap: 0 .8rem; grid-template-columns: auto minmax(min-content, 1fr); }
.facts dd { overflow-wrap: break-word; text-align: right; }
summary { cursor: pointer; min-height: 1.5rem; }
code { font-size: .85rem; overflow-wrap: anywhere; }
.fair-deal ol, .fair-deal ul { padding-left: 1.2rem; } .fair-deal li { margin-top: .4rem; }
.proof.holds, .proof.fails { font-weight: bold; }
.proof.fails { background: var(--red); color: #fff; padding: .2rem .5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; box-shadow: 0 0 0 2px #000; }
:is(.refusal, .over, .menu) :focus-visible { outline-color: var(--blue); }
:is(.board, .over):focus-visible { box-shadow: none; outline: none; }
.hides-log .log, .hides-facts .fact-list, .hides-fair-deal .fair, .hides-score .sheet, .hides-tricks .taken, .hides-speed .pace, .hides-menu .icon, .hides-undo .undo,
.hides-bar .bar { display: none; }

@container (max-width: 27rem) { .board:where(:has(.middle.ring)) > .refusal { font-size: .85rem; line-height: 1.25; padding: .5rem .7rem; } .said { font-size: .84rem; } .said.long { font-size: .76rem; line-height: 1.1; max-height: 3.4em; -webkit-line-clamp: 3; } .said.long ~ :disabled { display: none; } .prompt { gap: .35rem; } .small { padding-inline: .4rem; } .prompt .me h3 { max-width: 4.5rem; } .bar { gap: .2rem .4rem; padding-inline: .4rem; } .scores li { max-width: 7.2rem; padding-inline: .3rem; } }
@container (min-width: 34rem) and (max-height: 40rem) { .board > .refusal { font-size: .82rem; justify-self: end; line-height: 1.25; width: calc(50% - 6rem); } }
@container (max-height: 31rem) {
  .table { --tall: 31cqh; }
  .bar { min-height: 2.3rem; } .icon { height: 2rem; }
  .board { grid-template-columns: minmax(15rem, 1fr) minmax(0, 1.1fr); grid-template-rows: minmax(0, 1fr) 3rem auto; }
  .board:not(.strip) { grid-template-columns: 0 minmax(0, 1fr); } .board:not(.strip) > .prompt { grid-column: 1 / -1; }
  .board > * { grid-column: 1 / -1; } .board > .prompt { grid-column: 1; } .board > .moves { grid-column: 2; }
  .own { grid-row: 3; padding: .25rem 0 .3rem; } .prompt { grid-row: 2; } .moves { background: var(--shade); grid-row: 2; }
  .strip > .moves:empty { display: block; }
  .board > .refusal { align-self: start; grid-row: 1 / 3; justify-self: end; margin: .3rem; padding: .5rem .6rem; width: calc(50% - 9.4rem); }
  .board:has(.many) > .refusal { width: calc(50% - 12rem); }
  .board:has(.round > :only-child):has(.ring) > .refusal { justify-self: end; margin-right: 7.4rem; width: calc(50% - 8rem); }
  .over { align-items: start; gap: .4rem 1.2rem; }
  .over:has(> :is(table, .took)) { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); max-width: 52rem; }
  .over:not(:has(> :is(table, .took))) { align-self: end; justify-self: end; max-width: 23rem; }
  .over > :is(h3, .result, footer) { grid-column: 1 / -1; }
  .over > .took { grid-row: span 2; } .took .card { width: 1.2rem; }
}
@container (min-width: 60rem) and (min-height: 38rem) {
  .table { --cap: var(--chitarrella-card-width, 132px); --tall: 25cqh; }
  .bar { min-height: 3rem; } .bar h2 { font-size: 1.3rem; } .bar .length, .scores li { font-size: .9rem; } .scores b { font-size: 1.3rem; }
  .board:where(:has(.middle.ring)) > .refusal { grid-row: 1; justify-self: end; margin-right: 1rem; width: min(26rem, 50% - 15rem); }
  .arena { --tw: min(132px, 38cqh * var(--ratio)); } .said { font-size: 1.1rem; } .prompt .me { max-width: 16rem; } .prompt .numbers { font-size: .9rem; }
}
@container (min-width: 60rem) and (min-height: 22rem) {
  .middle.ring { --tw: min(132px, 37cqh * var(--ratio)); }
  .middle.ring .laid { top: clamp(6.4rem, 55% + var(--y) * var(--th) * .56 - var(--th) / 2, 100% - var(--th) - .2rem); }
  .round .seat { font-size: 1.2rem; gap: .1rem .6rem; left: calc(50% - 6.5rem + var(--x) * min(50% - 7rem, 24rem)); padding: .4rem .6rem; top: calc((100% - 4.1rem) / 2 * (1 + var(--y)) + .4rem * (0 - var(--y)) + (1 + var(--y)) * 5rem); width: 13rem; } .round .seat h3 { font-size: 1.1rem; }
  .round .avatar { font-size: 1.3rem; height: 3rem; width: 3rem; } .round .numbers { font-size: .95rem; } .round .seat small { font-size: .85rem; }
  .round .seat .zone .card { width: calc(2.5rem * var(--ratio)); } .round .seat .zone > .card { width: calc(3.2rem * var(--ratio)); }
  .middle.row { --tw: min(132px, 92cqw / var(--n) - .4rem, (56cqh / var(--wide-rows) - .6rem) * var(--ratio)); }
  .corner { left: max(.5rem, 50% - 30rem); } .corner .piles, .round + .middle.row + .corner .piles { --pw: min(4.6rem, 25cqh * var(--ratio)); } .chip { font-size: .9rem; }
  .rows { gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); } .rows .seat .zone .card { width: calc(5rem * var(--ratio)); }
}
@container (min-height: 28rem) { .round + .middle.row { inset: 38% 0 .4rem; max-height: none; } }
@container (max-height: 15rem) {
  .middle.ring .laid { left: calc(50% + var(--low) * var(--tw) * 1.08 - var(--tw) / 2); top: calc(50% + var(--y) * var(--th) * .06 - var(--th) / 2); }
  .middle .card, .middle.ring { --tw: min(78px, 76cqh * var(--ratio)); }
  .middle.many, .middle.many .card { --tw: min(66px, 70cqh * var(--ratio)); }
  .round + .middle.row .card { --tw: min(86px, 80cqw / var(--n) - .4rem, 56cqh * var(--ratio)); }
  .round .seat { left: calc((100% - 7.3rem) / 2 * (1 + var(--lx)) + .35rem * (0 - var(--lx))); top: calc((100% - 4.1rem) / 2 * (1 + var(--ly)) + .3rem * (0 - var(--ly))); }
  .corner { left: auto; right: .5rem; justify-items: end; } .piles, .round + .middle.row + .corner .piles { --pw: min(2.8rem, 40cqh * var(--ratio)); } .round:has(> :only-child) ~ .corner .piles { --pw: min(3.6rem, 52cqh * var(--ratio)); }
}
@media (prefers-color-scheme: dark) {
  :host { --felt: var(--chitarrella-felt, #123f2c); --paper: var(--chitarrella-paper, #f4efe0); }
  .menu, .over, .refusal { --paper: #24231f; --ink: #f1ece0; --blue: #9cc7ff; --red: #ff8a7e; }
  .menu select option { color: #1d1b16; }
  .over .card, .menu .card { --ink: #1d1b16; }
}
@media (prefers-reduced-motion: reduce) { button.card, button.card.sent, .seat.taker { animation: none; transition: none; } }
@media (forced-colors: active) { button.card.allowed { outline: 4px double; } .seat.turn { outline: 3px solid; } .card { border: 1px solid; } }
`;

/** Style rules that tables share. */
export function style(rules = RULES): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(rules);
  return made;
}
