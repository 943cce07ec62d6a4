/** The mail of several people is looked up for each of them, in ways to name two or three; none of them is left out without a word. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ['tom and sarah', ['tom', 'sarah']],
  ['Tom or Sarah', ['Tom', 'Sarah']],
  ['Tom Miller or Sarah', ['Tom Miller', 'Sarah']],
  ['Tom, Sarah and Jerry', ['Tom', 'Sarah', 'Jerry']],
]
const ENGLISH = [
  (row: string) => `mails from ${row}`,
  (row: string) => `any mail from ${row}?`,
  (row: string) => `anything from ${row} today`,
  (row: string) => `have ${row} written?`,
]
const GERMAN = [(row: string) => `mails von ${row}`, (row: string) => `hat ${row} geschrieben?`]

function german(row: string): string {
  return row.replace(' and ', ' und ').replace(' or ', ' oder ')
}

describe('each is looked for', () => {
  it.each([
    ...ENGLISH.flatMap((form) => ROWS.map(([row, names]) => [form(row), names] as const)),
    ...GERMAN.flatMap((form) => ROWS.map(([row, names]) => [form(german(row)), names] as const)),
  ])('%s', (text, names) => {
    const { calls } = readingOf(text)
    expect(calls.map(({ tool }) => tool)).toEqual(names.map(() => 'email.list'))
    expect(calls.map(({ args }) => args['from'])).toEqual(names)
  })
})

it.each([
  ['any mail from tom and what’s on today', ['email.list', 'calendar.list_events']],
  ['archive everything from tom and sarah', []],
  ['any mail from tom', ['email.list']],
])('is no row of senders: %s', (text, tools) =>
  expect(readingOf(text).calls.map(({ tool }) => tool)).toEqual(tools),
)
