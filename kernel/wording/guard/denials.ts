/**
 * Denials beside a verb of doing: "I booked no gym", "weder … noch … gelöscht". One that only sounds like it ("no less than three",
 * "no mail but yours") is none. Pure and linear; English and German. Called by claims.ts.
 */

/** What an action of the assistant is done to. */
export const OBJECT =
  /\b(?:calendar|event|meeting|appointment|invit\w+|e-?mails?|mails?|inbox|message|reminder|contact|file|folder|document|page|task|to-?do|issue|ticket|booking|reservation|order|payment|invoice|subscription|account|alarm|database|board|channel|repository|memory|nachricht(?:en)?|termine?|treffen|besprechung|einladung(?:en)?|rechnung|zahlung|datei|kalender|erinnerung|bestellung|buchung|reservierung|konto)\b/i

/** Makes a claim of what looks like a denial: all but this was done. What follows "but" alone begins a clause of its own. */
const BUT =
  /^[^.:;!?\n]{0,160}?(?<!\p{L})(?:(?<!,\s{0,3})but(?!\s{1,3}(?:i|we|it|you|he|she|they|that|this|there)(?!\p{L}))|except|other than|besides|(?:apart|aside) from|save for|without)(?!\p{L})/iu
/** `nothing` that ends its clause, or `no` right before an object: a denial of all of that kind. */
const KIND_DENIED = new RegExp(
  `^\\s{1,3}(?:to\\s{1,3})?(?:(?:nothing|nobody|none)(?=\\s{0,3}(?:[.,;:!)]|$|(?:and|yet|at all|to|from)\\b))|no\\s{1,3}${OBJECT.source})`,
  'iu',
)
/** What follows `no` in a phrase that denies nothing, or less than all: "no problem", "no small meeting", "no fewer". */
const NO_DENIAL =
  '(?:less|fewer|more|sooner|longer|later|earlier|better|worse|matter|doubts?|problems?|wor(?:ry|ries)|questions?|exceptions?|strings|thanks|time|wonder|kidding|jokes?|fuss|sweat|biggie|trouble|hassle|small|little|ordinary|mean|minor|mere|trivial|simple|but|other)'
/** Where the noun after `no` ends. */
const NOUN_ENDS =
  '(?=\\s{0,3}(?:[.,;:!)–—-]|$)|\\s{1,3}(?:for|on|at|to|in|into|with|from|and|or|nor|yet|because|since|as|so|of|by|about|until|this|today|tonight|tomorrow|anywhere|either|after|before|when|while|if|that|but)(?!\\p{L}))'
/** One thing that was not done, right behind the verb and whoever it was for. */
const THING_DENIED = new RegExp(
  [
    '^\\s{1,3}(?:(?:you|him|her|them|us)\\s{1,3})?(?:to\\s{1,3})?(?:',
    `no(?:\\s{1,3}(?!${NO_DENIAL}(?!\\p{L}))[\\p{L}\\p{N}'’]{1,30}){1,3}?${NOUN_ENDS}`,
    "|no one(?!['’\\p{L}])|none\\s{1,3}of(?!\\p{L})",
    '|not\\s{1,3}(?:a\\s{1,3}single|a|any|one)(?!\\p{L})(?![^.;:!?\\n]{0,80},\\s{0,3}but(?!\\p{L}))',
    '|neither(?:\\s{0,3}(?:[.,;:!]|$)|\\s{1,3}of(?!\\p{L})|[^.;:!?\\n]{1,80}\\snor(?!\\p{L}))',
    ')',
  ].join(''),
  'iu',
)

/** At the end of the hit, which is the verb: "nicht nur die Mail gelöscht" denies nothing. */
const GERMAN_KIND_DENIED =
  /(?<!\p{L})(?:nichts|niemande[mn]|nicht|(?<!(?:trotz|wegen|mangels|bei|nach|mit)\s{1,3})keine?[nmrs]?\s{1,3}\p{L}{1,30})\s{1,3}\p{L}{1,30}$/iu
/** More words of the same clause: a place, a time, whom it was for. */
const GERMAN_MORE =
  '(?:\\s{1,3}(?:heute|morgen|dort|dafür|davon|daraus|mehr|(?:für|im|in|ins|am|an|auf|zu|zum|zur|um|bei|mit|von|vom|aus|über|unter)(?:\\s{1,3}(?!(?:und|oder|aber|sondern|sie|es|ihn|ihm|nur|doch|denn|dann|dafür)(?!\\p{L}))[\\p{L}\\p{N}.:]{1,30}){1,4}))'
const GERMAN_NO =
  'keine?[nmrs]?\\s{1,3}(?!(?:weniger|gering|klein|problem|ding(?!\\p{L})|thema|sorge|frage|mühe|zweifel))(?:\\p{L}{1,20}e[nmrs]?\\s{1,3})?\\p{L}{1,30}'
const GERMAN_NEITHER =
  'weder\\s[^.;:!?\\n]{1,80}?\\snoch(?:\\s{1,3}(?!(?:und|aber|sondern)(?!\\p{L}))[\\p{L}\\p{N}.:]{1,30}){1,8}?'
/** The same with words between the negation and the verb. */
const GERMAN_THING_DENIED = new RegExp(
  `(?<!\\p{L})(?:(?<!(?:trotz|wegen|mangels|bei|nach|mit)\\s{1,3})${GERMAN_NO}${GERMAN_MORE}{0,2}|nichts${GERMAN_MORE}{1,2}|${GERMAN_NEITHER})\\s{1,3}\\p{L}{1,30}$`,
  'iu',
)
/** In front of "habe ich", where no comma separates them: "Keinen Termin habe ich eingetragen". */
const GERMAN_FIRST = new RegExp(
  `(?:^|[,;:–—-]\\s{0,3}|(?<!\\p{L})(?:und|aber|also)\\s{1,3})\\s{0,3}(?:${GERMAN_NO}${GERMAN_MORE}{0,2}|nichts${GERMAN_MORE}{0,2}|${GERMAN_NEITHER})\\s{1,3}$`,
  'iu',
)
const INVERTED = /^hab/iu
/** UTF-16 units on each side of the verb that are read: a sentence without an end costs no more. */
const NEAR = 240

/** A verb of doing with its sentence: `hit` ends with the verb in German, and is the verb and its subject in English. */
interface Around {
  readonly before: string
  readonly hit: string
  readonly after: string
}

/** Whether the sentence says that this was not done. */
export function isDenied({ before, hit, after }: Around): boolean {
  const next = after.slice(0, NEAR)
  return (
    deniesKind(after, hit) ||
    (THING_DENIED.test(next) && !BUT.test(next)) ||
    GERMAN_THING_DENIED.test(hit) ||
    (INVERTED.test(hit) && GERMAN_FIRST.test(before.slice(-NEAR)))
  )
}

/** The same of all of its kind, so that it is false where any such write ran. "Nothing else" denies only the rest. */
export function deniesKind(after: string, hit: string): boolean {
  return (KIND_DENIED.test(after) && !BUT.test(after)) || GERMAN_KIND_DENIED.test(hit)
}
