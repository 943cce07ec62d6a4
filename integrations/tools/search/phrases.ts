/** Phrases of searches of the web, and their plan. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/search'
import { type Phrases, words } from '../phrase.ts'

/** What is looked for elsewhere than on the web. */
const OWN = words(`
  mail / mails / email / emails / e-mail / e-mails / inbox / mailbox / message / messages / letter / letters
  calendar / event / events / appointment / appointments / meeting / meetings / memory / notes / note
  contact / contacts / reminder / reminders / task / tasks / file / files / folder / my / our / mine
  invoice / invoices / receipt / receipts / attachment / attachments / repo / repository
  todo / to-do / job / jobs / briefing / termin / termine / kalender / postfach / datei / dateien / pdf / slot / free
  mein / meine / meinen / meiner / meinem / unser / unsere / unserer
`)
const ELSEWHERE = `\\b(?:${OWN.join('|')}|i|we|us|ich|wir|whether|ob|password|passwort|wifi|wlan|pin|code|list|liste|wrote|geschrieben|geschickt|birthday|geburtstag|issue|issues|pull request|prs?|contract|payslip)\\b|\\b(?:number|address|phone number) (?:of|for)\\b|(?<!\\b(?:what|that|it|there|where|who|how|let))['’]s\\b|[,;] |^(?:look up|find out|find|look for|look into) (?:it|them|that|this)\\b`
/** What somebody would like to know, with the times in it. */
const MATTER = '[^!;\\n]{2,150}?'
/** Of something. */
const OF = '[^?!;\\n]{2,120}'
const FIGURE =
  'opening hours|opening times|hours|price|prices|cost|entry fee|time difference|difference|latest version|latest stable version|newest version|current version|exchange rate|speed limit|score|capital|population|side effects|boiling point|distance|recipe'
const WHO =
  'author|actor|actress|singer|president|prime minister|king|queen|mayor|chancellor|ceo|founder|inventor|winner'
/** Questions whose answer is out in the world, whole: what is searched for are all their words. */
const QUESTION = `(?<![^])(?:${[
  `how (?:far|high|tall|big|old|hot|fast|deep) (?:is|are|was|were) (?:it|the|an?|mount|mt|lake|planet) ${OF}`,
  `how long does it take ${OF}`,
  `how (?:much|long) (?:is|are|does|do) (?:a|an|the) ${OF} (?:cost|take|last|go for|sell for)`,
  `what (?:does|do) ${OF} (?:cost|go for|sell for)|what (?:is|are) ${OF} (?:going for|worth)(?: ${OF})?`,
  `(?:until |till )?(?:what time|what times|when) (?:does|do|is|are) ${OF} (?:open|close|shut|closed|opening|closing)(?: ${OF})?`,
  `is the (?:shop|store|museum|library|bank|post office|pharmacy|chemist|supermarket|zoo|pool|market|restaurant|cafe|bakery|pub|tip) (?:open|closed|shut)(?: ${OF})?`,
  `(?:what are|what's|whats|what is) the (?:${FIGURE}) (?:of|for|at|between|on|in|from) ${OF}`,
  `(?:opening hours|opening times|price|recipe|directions) (?:of|for|at|to) ${OF}`,
  `who (?:won|wrote|invented|directed|painted|composed|founded|sings|sang|discovered) ${OF}`,
  `who (?:is|was|are|were) the (?:${WHO}) of ${OF}`,
  `what(?:'s| is| was) the name of the (?:novel|book|film|movie|song|band|actor|actress|play|painting|poem|author|singer|show|series) ${OF}`,
  `(?:is there|are there) (?:anything|something) on (?:for|with|near|in|around) ${OF}`,
  `(?:bis wann|ab wann|wann|wie lange) (?:hat|haben|ist|macht|öffnet|schließt) ${OF} (?:auf|offen|geöffnet|zu)`,
  `(?:hat|haben) (?:die|der|das) ${OF}(?:markt|laden|post|bank|bibliothek|stabi|museum|apotheke|bäckerei|bad|zoo|baumarkt)${'[^?!;\\n]{0,60}'} (?:auf|offen|geöffnet)`,
  `(?:was|wie viel|wieviel) (?:kostet|kosten) (?!(?:mich|uns|du|das|es|dies)(?:\\s|$))${OF}`,
  `(?:welche|welcher|welches) ${OF} (?:auf|offen|notdienst|geöffnet)(?: ${OF})?`,
  `wie (?:hoch|weit|alt|groß|heiß|tief) ist (?:der|die|das) ${OF}`,
  `wer hat ${OF} (?:erfunden|geschrieben|komponiert|gemalt|gewonnen|gegründet)`,
].join('|')})`

export const SEARCH_PHRASES: Phrases = {
  shapes: {
    matter: { pattern: MATTER, example: 'podiatrist near Hexham' },
    question: { pattern: QUESTION, example: 'when does the museum open' },
  },
  typed: TYPED,
  thing: {
    ...{ lists: ['web.search'], list: 'results', first: 'none', one: [], only: [] },
    ...{ unknown: 'not_understood', called: 'results?|hits?|links?|treffer|ergebniss?e?' },
    opens: [{ id: 's1', do: 'tool', tool: 'web.read', args: { url: '{one.url}' } }],
  },
  lists: {
    en: {
      web: words('web / internet / net / world wide web'),
      online: words(
        'online / on the web / on the internet / on the net / in the internet / on google / on duckduckgo',
      ),
      own: [...OWN, 'it', 'them'],
    },
  },
  asks: [
    {
      says: {
        en: [
          '(search for|search|look up|look for|look|find out|find) {what} <online> - <own>',
          'look {what} up <online> - <own>',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{what}' } }],
    },
    {
      says: {
        en: [
          '(search|search on|look on|look through|browse) [the] <web> for {topic}',
          '(search|look) <online> for {topic}',
          '(web|internet|online|google) search [for] {topic}',
          '(do|make|run) a (web|internet|google) search (for|on|about) {topic}',
          '(google|duckduckgo) [for] {topic}',
          'find out <online> {topic}',
          'what does (the <web>|google) say about {topic}',
        ],
        de: [
          '(suche|such) [bitte] (im internet|im netz|im web|online) nach {topic}',
          '(googel|googele|google) [mal|bitte] [nach] {topic}',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{topic}' } }],
    },
    {
      says: { en: ['search for {topic} - <own>'] },
      // It may be a mail or a file of the owner's.
      unlike: `${ELSEWHERE}|^search for the\\b`,
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{topic}' } }],
    },
    {
      says: {
        en: [
          '(look up|find out|research|look into|read up on) {matter}',
          '(find|find me|look for) (a|an|some|the nearest|the best|the cheapest|a good|a decent) {matter}',
          '(see|check|find out) (what|when|where|how much|how|which) {matter} (costs|cost|opens|closes)',
        ],
        de: [
          '(schau|guck|sieh|schaue|gucke) [mal|bitte|amal|kurz] nach was {matter}',
          '(such|suche|find|finde) [mir|mal|bitte|mir mal] (raus|heraus) {matter}',
          '(recherchiere|recherchier|informier dich) [mal|bitte|mir] [über] {matter}',
        ],
      },
      unlike: ELSEWHERE,
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{matter}' } }],
    },
    {
      says: { en: ['{question}'] },
      unlike: ELSEWHERE,
      plan: [{ id: 's1', do: 'tool', tool: 'web.search', args: { words: '{question}' } }],
    },
  ],
}
