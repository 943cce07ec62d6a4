/**
 * Recognises denials at a verb of a claim: "I booked no gym", "weder … noch … gelöscht". Excludes phrases that only
 * resemble one ("no less than three", "no mail but yours"). Pure and linear; English and German. Called by claims.ts.
 */

/** Objects of the assistant's actions. */
export const OBJECT =
  /\b(?:calendar|event|meeting|appointment|invit\w+|e-?mails?|mails?|inbox|message|reminder|contact|file|folder|document|page|task|to-?do|issue|ticket|booking|reservation|order|payment|invoice|subscription|account|alarm|database|board|channel|repository|memory|nachricht(?:en)?|termine?|treffen|besprechung|einladung(?:en)?|rechnung|zahlung|datei|kalender|erinnerung|bestellung|buchung|reservierung|konto)\b/i

/** Turns an apparent denial into a claim: everything but this was done. After "but" alone a new clause begins. */
const BUT =
  /^[^.:;!?\n]{0,160}?(?<!\p{L})(?:(?<!,\s{0,3})but(?!\s{1,3}(?:i|we|it|you|he|she|they|that|this|there)(?!\p{L}))|except|other than|besides|(?:apart|aside) from|save for|without)(?!\p{L})/iu
/** `nothing` at the end of its clause, or `no` right before an object: denies all actions of that kind. */
const KIND_DENIED = new RegExp(
  `^\\s{1,3}(?:to\\s{1,3})?(?:(?:nothing|nobody|none)(?=\\s{0,3}(?:[.,;:!)]|$|(?:and|yet|at all|to|from)\\b))|no\\s{1,3}${OBJECT.source})`,
  'iu',
)
/** Words after `no` in a phrase that denies nothing, or not everything: "no problem", "no small meeting", "no fewer". */
const NO_DENIAL =
  '(?:less|fewer|more|sooner|longer|later|earlier|better|worse|matter|doubts?|problems?|wor(?:ry|ries)|questions?|exceptions?|strings|thanks|time|wonder|kidding|jokes?|fuss|sweat|biggie|trouble|hassle|small|little|ordinary|mean|minor|mere|trivial|simple|but|other)'
/** End of the noun after `no`. */
const NOUN_ENDS =
  '(?=\\s{0,3}(?:[.,;:!)–—-]|$)|\\s{1,3}(?:for|on|at|to|in|into|with|from|and|or|nor|yet|because|since|as|so|of|by|about|until|this|today|tonight|tomorrow|anywhere|either|after|before|when|while|if|that|but)(?!\\p{L}))'
/** One thing that was not done, after the verb and its recipient. */
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

/** German denial of a kind, at the end of the hit, which is the verb. "Nicht nur die Mail gelöscht" denies nothing. */
const GERMAN_KIND_DENIED =
  /(?<!\p{L})(?:nichts|niemande[mn]|nicht|(?<!(?:trotz|wegen|mangels|bei|nach|mit)\s{1,3})keine?[nmrs]?\s{1,3}\p{L}{1,30})\s{1,3}\p{L}{1,30}$/iu
/** Further words of the same clause: place, time, recipient. */
const GERMAN_MORE =
  '(?:\\s{1,3}(?:heute|morgen|dort|dafür|davon|daraus|mehr|(?:für|im|in|ins|am|an|auf|zu|zum|zur|um|bei|mit|von|vom|aus|über|unter)(?:\\s{1,3}(?!(?:und|oder|aber|sondern|sie|es|ihn|ihm|nur|doch|denn|dann|dafür)(?!\\p{L}))[\\p{L}\\p{N}.:]{1,30}){1,4}))'
const GERMAN_NO =
  'keine?[nmrs]?\\s{1,3}(?!(?:weniger|gering|klein|problem|ding(?!\\p{L})|thema|sorge|frage|mühe|zweifel))(?:\\p{L}{1,20}e[nmrs]?\\s{1,3})?\\p{L}{1,30}'
const GERMAN_NEITHER =
  'weder\\s[^.;:!?\\n]{1,80}?\\snoch(?:\\s{1,3}(?!(?:und|aber|sondern)(?!\\p{L}))[\\p{L}\\p{N}.:]{1,30}){1,8}?'
/** German denial of one thing, with words between the negation and the verb. */
const GERMAN_THING_DENIED = new RegExp(
  `(?<!\\p{L})(?:(?<!(?:trotz|wegen|mangels|bei|nach|mit)\\s{1,3})${GERMAN_NO}${GERMAN_MORE}{0,2}|nichts${GERMAN_MORE}{1,2}|${GERMAN_NEITHER})\\s{1,3}\\p{L}{1,30}$`,
  'iu',
)
/** German denial before "habe ich" without a comma: "Keinen Termin habe ich eingetragen". */
const GERMAN_FIRST = new RegExp(
  `(?:^|[,;:–—-]\\s{0,3}|(?<!\\p{L})(?:und|aber|also)\\s{1,3})\\s{0,3}(?:${GERMAN_NO}${GERMAN_MORE}{0,2}|nichts${GERMAN_MORE}{0,2}|${GERMAN_NEITHER})\\s{1,3}$`,
  'iu',
)
const INVERTED = /^hab/iu
/** Maximum UTF-16 units that are read on each side of the verb, so that a sentence without an end costs no more. */
const NEAR = 240

/** A verb of a claim with the rest of its sentence. In German `hit` ends with the verb; in English it is subject and verb. */
interface Around {
  readonly before: string
  readonly hit: string
  readonly after: string
}

/** Whether the sentence denies the action. */
export function isDenied({ before, hit, after }: Around): boolean {
  const next = after.slice(0, NEAR)
  return (
    deniesKind(after, hit) ||
    (THING_DENIED.test(next) && !BUT.test(next)) ||
    GERMAN_THING_DENIED.test(hit) ||
    (INVERTED.test(hit) && GERMAN_FIRST.test(before.slice(-NEAR)))
  )
}

/**
 * Whether the sentence denies all actions of that kind, which is false if any such
 * write ran. "Nothing else" denies only the rest.
 */
export function deniesKind(after: string, hit: string): boolean {
  return (KIND_DENIED.test(after) && !BUT.test(after)) || GERMAN_KIND_DENIED.test(hit)
}
