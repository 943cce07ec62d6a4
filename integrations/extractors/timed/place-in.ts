/**
 * Where an appointment of a letter is: the words right beside its time ("at 3 in Room 4"), or a line that says so
 * ("Ort: Café Sol"). Fixed rules, pure; whatever it finds is a stranger's text. Called by appointments.ts.
 */

/** UTF-16 units of a place: a house, a street and a town. */
const LONGEST = 120

const HEAD =
  '(?:place|location|where|venue|address|meeting point|ort|wo|treffpunkt|adresse|veranstaltungsort|raum|room)'
const LABELLED = new RegExp(
  `^[\\s>*•·-]{0,8}${HEAD}\\s{0,3}:\\s{0,3}(?<place>\\S[^\\n]{0,${LONGEST}})$`,
  'imu',
)

const LEADS =
  '(?:in|at|im|beim|bei|am|auf|zum|zur|an)(?: (?:the|our|my|der|dem|die|den|unserer|unserem|meiner|meinem))?'
/** A name or a number begins it: "at the latest", "in case" and "bei Fragen" say no place. */
const NAMED =
  '(?!(?:Fragen|Bedarf|Ruhe|Kürze|Ordnung|Anschluss|Voraus|Hinblick|Rahmen|Abend|Morgen|Nachmittag|Vormittag|Mittag|Ende|Anfang|Case|Time|Noon)(?!\\p{L}))[\\p{Lu}\\p{N}]'
/** Up to the end of a clause; a comma goes on only to a street, a number or another name. */
const WORDS = `${NAMED}(?:[^,;:.!?()\\n]|(?<=str|St|Nr|No|Dr)\\.(?=\\s?[\\p{N}\\p{Lu}])|,(?=\\s[\\p{Lu}\\p{N}])){0,${LONGEST}}`
const BEHIND = new RegExp(`^[\\s,–—-]{0,4}(?:@ ?|${LEADS} )(?<place>${WORDS})`, 'u')
const BEFORE = new RegExp(`(?<!\\p{L})${LEADS} (?<place>${WORDS}?)[\\s,–—-]{0,4}$`, 'u')
/** Where the place ends and the sentence goes on. */
const GOES_ON =
  /\s+(?:and|und|to|um|with|mit|for|für|if|wenn|falls|because|weil|so|please|bitte|is|are|ist|sind|statt|takes|findet|works|okay|ok|then|dann|from|von|at \d|on|about)(?!\p{L}).*$/u

/** Null where nothing beside these words is a place. */
export function placeBeside(
  sentence: string,
  { from, to }: { readonly from: number; readonly to: number },
): string | null {
  const found = BEHIND.exec(sentence.slice(to)) ?? BEFORE.exec(sentence.slice(0, from))
  return placeOf(found?.groups?.['place'])
}

/** What one line of the letter says; null where none does, or several. */
export function labelledPlace(text: string): string | null {
  const [only, ...more] = text
    .split('\n')
    .flatMap((line) => placeOf(LABELLED.exec(line)?.groups?.['place']) ?? [])
  return only === undefined || more.length > 0 ? null : only
}

function placeOf(found: string | undefined): string | null {
  const place = (found ?? '')
    .replace(GOES_ON, '')
    .replace(/[\s,–—-]+$/u, '')
    .trim()
  return place.length < 2 || place.length > LONGEST ? null : place
}
