/**
 * A reminder in German, put into the English form that the rules of reminders read; its words stay as typed. What repeats in a way that has no
 * English form here keeps its German words, which the rules refuse. Pure. Called by
 * message-reminder.ts and message-job-german.ts.
 */

const ERINNERE =
  /^(?:(?<lead>.{1,80}?),? +)?(?:bitte )?(?:erinner(?:e|st du)? mich|vergiss nicht,? mich)\b(?: bitte)?[\s:,]*(?<rest>.*)$/is
const GERMAN: readonly (readonly [RegExp, string])[] = [
  [/\b(?:an )?(?:jede[nrsm]? )?(?:werktags?|werktagen|wochentagen?)\b/gi, 'every weekday'],
  [/\b(?:jeden tag|täglich)\b/gi, 'every day'],
  [/\b(?:jede woche|wöchentlich)\b/gi, 'every week'],
  [/\b(?:jeden monat|monatlich)\b/gi, 'every month'],
  [/\bjeden zweiten tag\b/gi, 'every 2 days'],
  [/\bjede[nrsm]?\b/gi, 'every'],
  [/\bam (\p{L}+tag)\b/giu, '$1'],
  [/\b(?:am wochenende|jedes wochenende)\b/gi, 'on weekends'],
  [/\bmontags\b/gi, 'mondays'],
  [/\bmontag\b/gi, 'monday'],
  [/\bdienstags\b/gi, 'tuesdays'],
  [/\bdienstag\b/gi, 'tuesday'],
  [/\bmittwochs\b/gi, 'wednesdays'],
  [/\bmittwoch\b/gi, 'wednesday'],
  [/\bdonnerstags\b/gi, 'thursdays'],
  [/\bdonnerstag\b/gi, 'thursday'],
  [/\bfreitags\b/gi, 'fridays'],
  [/\bfreitag\b/gi, 'friday'],
  [/\b(?:samstags|sonnabends)\b/gi, 'saturdays'],
  [/\b(?:samstag|sonnabend)\b/gi, 'saturday'],
  [/\bsonntags\b/gi, 'sundays'],
  [/\bsonntag\b/gi, 'sunday'],
  [/\bübermorgen\b/gi, 'in 2 days'],
  [/\b(?:heute )(?:früh|morgen)\b/gi, 'this morning'],
  [/\bmorgen früh\b/gi, 'tomorrow morning'],
  [/\bheute\b/gi, 'today'],
  [/\b(?<!every )morgens\b/gi, 'in the morning'],
  [/\bmorgen\b/gi, 'tomorrow'],
  [/\bmittags?\b/gi, 'at noon'],
  [/\babends?\b/gi, 'in the evening'],
  [/\b(?:einer )?halbe[nr]? stunde\b/gi, '30 minutes'],
  [/\bin einer (stunde|woche)\b/gi, 'in 1 $1'],
  [/\bin einem (tag|monat)\b/gi, 'in 1 $1'],
  [/\bstunden?\b/gi, 'hours'],
  [/\bminuten?\b/gi, 'minutes'],
  [/\btag(?:en)?\b/gi, 'days'],
  [/\bwochen?\b/gi, 'weeks'],
  [/\bum (\d{1,2})[:.](\d\d)(?: uhr)?\b/gi, 'at $1:$2'],
  [/\bum (\d{1,2})(?: uhr)?\b/gi, 'at $1:00'],
]

/** `erinnere mich morgen um 9 an den Zahnarzt` → `remind me tomorrow at 9:00 to den Zahnarzt`; any other text as it is. */
export function inEnglish(text: string): string {
  const { lead = '', rest = '' } = ERINNERE.exec(text)?.groups ?? {}
  if (rest === '') return text
  const [, when = '', topic = ''] =
    /^(.*?)\b(?:daran,?(?: dass)?|an (?!werktag|wochentag|jedem))\s*(.*)$/is.exec(rest) ?? ['', rest, '']
  // Behind the words may stand the time: `an den Müll morgen um 8`.
  const behind =
    /^(.*?)((?: (?:heute|morgen|übermorgen|am \p{L}+tag|jeden? \p{L}+|um \d{1,2}(?:[:.]\d\d)?(?: uhr)?|in \d+ \p{L}+|abends?|mittags?|früh))+)[.!]?$/isu.exec(
      when.trim() === '' && lead === '' ? topic : '',
    )
  const [what, time] = behind === null ? [topic, when] : [behind[1] ?? '', behind[2] ?? '']
  const at = whenInEnglish(`${lead} ${time}`).replace(/\s+/g, ' ').trim()
  // "Daran" is what was shown last.
  if (what.trim() === '' && /\bdaran\b/i.test(rest)) return `remind me ${at} to it`
  return what.trim() === '' ? `remind me ${at}` : `remind me ${at} to ${what.trim()}`
}

/** The words of a time or a repetition. */
export function whenInEnglish(german: string): string {
  return GERMAN.reduce((left, [from, to]) => left.replace(from, to), german)
}
