/** How a paired person is shown: as data and in words (B-04). Pure. Called by the operations on people. */
import { momentOf, oneLine } from '../../../operations/lines.ts'
import type { View } from '../../../operations/operation.ts'
import { id, list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'

export const PERSON = record({
  id: id('internal'),
  state: oneOf(['asked', 'open', 'live', 'ended', 'revoked'], 'internal'),
  name: text('sensitive'),
  handle: text('sensitive'),
  principal: maybe(text('sensitive')),
  sink: maybe(text('sensitive')),
  templates: list(text('internal')),
  createdAt: number('internal'),
  openUntil: number('internal'),
  expiresAt: number('internal'),
})

type Person = ValueOf<typeof PERSON>

export function personLine({ id: agreement, name, state, principal }: Person, { say }: View): string {
  const who = principal === null ? '' : ` · ${plain(principal)}`
  const states: Readonly<Record<Person['state'], string>> = {
    asked: `waits for your yes: ${say('approvals.list')}`,
    open: 'invited, and has not come yet',
    live: 'paired',
    ended: 'over',
    revoked: 'taken back',
  }
  return `${oneLine(agreement)} · ${oneLine(name)}${who} · ${states[state]}`
}

export function personWords(person: Person, view: View): string {
  const { handle, principal, sink, templates, state, openUntil, expiresAt } = person
  const called = handle === '' ? '' : `, “${oneLine(handle)}” by their own words`
  const came =
    principal === null || sink === null ? [] : [`account: ${plain(principal)}${called}`, `in: ${plain(sink)}`]
  const code = state === 'asked' || state === 'open' ? [`code good until ${momentOf(openUntil)}`] : []
  const facts = [
    ...came,
    `may start: ${templates.map(oneLine).join(', ')}`,
    ...code,
    `until ${momentOf(expiresAt).slice(0, 10)}`,
  ]
  return [personLine(person, view), ...facts.map((fact) => `   ${fact}`)].join('\n')
}

function plain(name: string): string {
  return oneLine(name.replace(/^(?:principal|sink):/, ''))
}
