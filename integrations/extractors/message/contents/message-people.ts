/**
 * The people of a message that names several in a row: "with Sarah, Tom and Lena", each as typed. Must not decide what is asked
 * for, or look anybody up. Called by message.ts, at home.
 */
import { TYPED_MAX } from '../../../../kernel/powers/message-fields.ts'
import { type Moment, readDates } from '../../../dates/read.ts'

/** UTF-16 units that are searched: a request is short. */
const HEAD = 400
const OWN = '(?:my|our|the|meine?[mnr]?|unsere?[mnr]?|der|dem|den|die|das) '
const TITLED = '(?:(?:[DM]rs?|Ms|Prof)\\.? |Frau |Herrn? )?'
const CAPITAL = `${TITLED}\\p{Lu}[\\p{L}\\p{M}'’-]{1,39}(?: \\p{Lu}[\\p{L}\\p{M}'’-]{1,39}){0,2}`
const SMALL = "\\p{Ll}[\\p{L}\\p{M}'’-]{1,39}"
/** Between the last two, and between those before. */
const JOIN = ',? (?:and|or|und|oder|&) '
const ROW = (before: string, one: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${before}) (?<row>(?:${OWN})?${one}(?:, ?(?:${OWN})?${one}){0,${TYPED_MAX - 2}}${JOIN}(?:${OWN})?${one})(?![\\p{L}\\d@])(?<after>.*)$`,
    'su',
  )
const PREPOSITIONS = 'with|from|by|mit|von|vom'
/** Without capitals any word may stand there, so nothing but a time stands behind them. */
const SMALL_ROW = ROW(PREPOSITIONS, SMALL)
const CAPITAL_ROW = ROW(
  `${PREPOSITIONS}|to|an|bei|for|für|[Ii]nvite|[Aa]sk|[Tt]ell|[Ff]rage?|[Dd]id|[Hh]a(?:s|ve|t|ben)`,
  CAPITAL,
)
const SPLIT = new RegExp(`${JOIN}|, ?`, 'u')
const ASIDE = /(?<!\p{L})(?:please|pls|bitte|yet|schon|bekommen|gekriegt|gekommen|got|received)(?!\p{L})/giu
/** Words that stand where a name may and are none, in the row without capitals. */
const NOBODY =
  /^(?:it|that|this|them|him|her|me|us|you|a|an|all|any|ihm|ihr|ihnen|mir|uns|euch|dir|allen|was|wann|dann|then|tell|read|show|book|reply|archive|delete|answer)$/u

/** Each once, in order; empty where the message names fewer than two in a row, or times. */
export function findPeople(text: string, moment: Moment): readonly string[] {
  const head = text.slice(0, HEAD)
  const found = CAPITAL_ROW.exec(head) ?? SMALL_ROW.exec(head)
  const { row = '', after = '' } = found?.groups ?? {}
  const people = [...new Set(row.split(SPLIT).map((one) => one.replace(new RegExp(`^${OWN}`, 'u'), '')))]
  const isSmall = people.some((one) => /^\p{Ll}/u.test(one))
  const isUnnamed = people.some((one) => NOBODY.test(one) || /['’]s$/u.test(one))
  if (isSmall && (isUnnamed || /\p{L}/u.test(beside(after, moment)))) return []
  return people.length > 1 && people.every((one) => readDates(one, moment).span === null) ? people : []
}

function beside(after: string, moment: Moment): string {
  return readDates(after, moment).rest.replace(ASIDE, '')
}
