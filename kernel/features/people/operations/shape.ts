/** How a paired person is shown: as data and in words (B-04). Pure. Called by the operations on people. */
import { momentOf, oneLine, proposedWords } from '../../../operations/lines.ts'
import type { Telling } from '../../../operations/operation.ts'
import { id, list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { MOST_INVITED } from '../named-people.ts'

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

/** An invitation whose card waits. A code appears in this answer only, and is invalid before the approval. */
export const INVITED = record({
  agreement: id('internal'),
  approval: id('internal'),
  say: text('sensitive'),
  openUntil: number('internal'),
  each: list(
    record({ agreement: id('internal'), name: text('sensitive'), say: text('sensitive') }),
    MOST_INVITED,
  ),
})

const HOUR = 3_600_000

export function invitedWords(
  { agreement, approval, say, openUntil, each }: ValueOf<typeof INVITED>,
  view: Telling,
): string {
  const hours = Math.max(1, Math.round((openUntil - view.now) / HOUR))
  const revoke = view.say('people.revoke', oneLine(agreement))
  const codes = each.map((one) => `   ${oneLine(one.name)}: ${oneLine(one.say)}`)
  const lines =
    each.length === 0
      ? [view.tell('people.say'), `   ${oneLine(say)}`, view.tell('people.once', { hours, revoke })]
      : [view.tell('people.say_each'), ...codes, view.tell('people.once_each', { hours })]
  return [...lines, proposedWords({ approval }, view)].join('\n')
}

type Person = ValueOf<typeof PERSON>

export function personLine(
  { id: agreement, name, state, principal }: Person,
  { say, tell }: Telling,
): string {
  const who = principal === null ? '' : ` · ${plain(principal)}`
  const stands = tell(`people.${state}`, { waiting: say('approvals.list') })
  return `${oneLine(agreement)} · ${oneLine(name)}${who} · ${stands}`
}

export function personWords(person: Person, view: Telling): string {
  const { tell } = view
  const { handle, principal, sink, templates, state, openUntil, expiresAt } = person
  const called = handle === '' ? '' : tell('people.handle', { handle: oneLine(handle) })
  const came =
    principal === null || sink === null
      ? []
      : [
          tell('people.account', { account: plain(principal), called }),
          tell('people.chat', { chat: plain(sink) }),
        ]
  const code =
    state === 'asked' || state === 'open' ? [tell('people.code', { until: momentOf(openUntil) })] : []
  const facts = [
    ...came,
    tell('people.may', { templates: templates.map(oneLine).join(', ') }),
    ...code,
    tell('people.until', { day: momentOf(expiresAt).slice(0, 10) }),
  ]
  return [personLine(person, view), ...facts.map((fact) => `   ${fact}`)].join('\n')
}

function plain(name: string): string {
  return oneLine(name.replace(/^(?:principal|sink):/, ''))
}
