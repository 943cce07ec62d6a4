/**
 * Reads which rows of a card are to be left out: "all but 2", "only 1 and 3", "not Tom", and the same in German. Pure; must not
 * look at a card. Called by leave-out.ts.
 */

/** A row: its number on the card, its name, or the last one. */
export type SaidRow = number | string | 'last'

export interface LeftOutWords {
  /** These rows stay, and the others are left out. */
  readonly keeps: boolean
  readonly rows: readonly SaidRow[]
}

/** Maximum UTF-16 units; a longer message is about something else. */
const LONGEST = 300
/** Maximum rows that one message may name; a card shows fewer. */
const MOST = 100

const LEAD = '(?:(?:yes|ja|ok|okay)[,;:]?\\s+)?(?:(?:but|aber)\\s+)?'
const ALL =
  '(?:(?:add|take|keep|nimm)\\s+)?(?:all(?:\\s+of\\s+them)?|everyone|everybody|everything|alle|alles|jeden)'
const BUT =
  '(?:but(?:\\s+not)?|except(?:\\s+for)?|besides|apart\\s+from|without|bar|not|außer|ausser|bis\\s+auf|ohne|aber\\s+nicht|nicht)'
const ROWS = '(?<rows>.+?)'
const END = '[.!]*$'

const FORMS: readonly (readonly [RegExp, Pick<LeftOutWords, 'keeps'>])[] = [
  [new RegExp(`^${LEAD}${ALL},?\\s+${BUT}\\s+${ROWS}${END}`, 'iu'), { keeps: false }],
  [new RegExp(`^${LEAD}(?:leave|lass|lasse)\\s+${ROWS}\\s+(?:out|weg|aus)${END}`, 'iu'), { keeps: false }],
  [new RegExp(`^${LEAD}leave\\s+out\\s+${ROWS}${END}`, 'iu'), { keeps: false }],
  [
    new RegExp(
      `^${LEAD}(?:not|without|except(?:\\s+for)?|skip|drop|omit|strike|ohne|nicht|außer|ausser|streich|streiche)\\s+${ROWS}${END}`,
      'iu',
    ),
    { keeps: false },
  ],
  [
    new RegExp(
      `^${LEAD}(?:(?:add|take|keep|nimm)\\s+)?(?:only|just|nur|bloß)\\s+(?:add\\s+|take\\s+)?${ROWS}${END}`,
      'iu',
    ),
    { keeps: true },
  ],
]

const BETWEEN = /\s*(?:[,;&]|(?<=\s)(?:and|und|or|oder|nor)(?=\s))\s*/iu
const BEFORE =
  /^(?:(?:the|die|der|den|das)\s+)?(?:(?:number|numbers|no\.|nr\.?|nummer|row|rows|zeile|#)\s*)?/iu
const RANGE = /^(\d{1,3})\s*(?:-|–|to|bis)\s*(\d{1,3})$/iu
const ORDINALS: readonly RegExp[] = [
  /^(?:first|1st|erste[nrs]?)(?:\s+one)?$/iu,
  /^(?:second|2nd|zweite[nrs]?)(?:\s+one)?$/iu,
  /^(?:third|3rd|dritte[nrs]?)(?:\s+one)?$/iu,
  /^(?:fourth|4th|vierte[nrs]?)(?:\s+one)?$/iu,
  /^(?:fifth|5th|fünfte[nrs]?)(?:\s+one)?$/iu,
]
const LAST = /^(?:last|letzte[nrs]?)(?:\s+one)?$/iu

/** Null for a message that says something else. */
export function leftOutInMessage(text: string): LeftOutWords | null {
  const said = text.replace(/\s+/g, ' ').trim()
  if (said.length > LONGEST) return null
  for (const [form, how] of FORMS) {
    const rows = form.exec(said)?.groups?.['rows']
    if (rows === undefined) continue
    const parts = rows.split(BETWEEN).filter((part) => part !== '')
    const named = parts.flatMap(rowsIn)
    return named.length === 0 || named.length > MOST ? null : { ...how, rows: named }
  }
  return null
}

function rowsIn(part: string): readonly SaidRow[] {
  const row = part.replace(BEFORE, '').trim()
  const [, from, to] = RANGE.exec(row) ?? []
  if (from !== undefined && to !== undefined) {
    const count = Math.min(Number(to) - Number(from) + 1, MOST + 1)
    return Array.from({ length: Math.max(count, 0) }, (_, at) => Number(from) + at)
  }
  if (/^\d{1,3}$/.test(row)) return [Number(row)]
  const at = ORDINALS.findIndex((ordinal) => ordinal.test(row))
  if (at >= 0) return [at + 1]
  return row === '' ? [] : [LAST.test(row) ? 'last' : row]
}
