/**
 * Regression 8 (S001 §17, R-19, invariant G): in the shipped template for WhatsApp contacts a planner asks for a tool
 * that the template does not give. The plan is refused before any step of it runs, the person is told in words, and the
 * refusal stands in the audit. Real workerd; the planning model is scripted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, startEdge } from './edge/house.ts'

const USER = '+4915112345678'
const PRINCIPAL = `principal:whatsapp:${USER}`
const call = (id: string, tool: string, args: unknown) => ({ id, do: 'tool', tool, args })
const SPAN = { from: '2026-11-27T09:00:00Z', to: '2026-11-27T18:00:00Z' }

let edge: Edge
beforeAll(async () => {
  edge = await startEdge()
})
afterAll(() => edge.stop())

/** Says something that no rule knows, so that the scripted model is asked for a plan. */
async function planned(steps: readonly unknown[]) {
  // The writer says nothing, so the kernel's own rules word the trouble.
  edge.outside.model = ({ purpose }) => (purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : '')
  const before = edge.outside.sent.length
  const task = await edge.sayAs('whatsapp', USER, 'please do the unusual thing')
  const report = await edge.endOf(task, PRINCIPAL)
  const audit = await edge.audit(task, PRINCIPAL)
  return { report, audit, told: edge.outside.sent.slice(before).map(({ text }) => text) }
}

const REFUSED: readonly (readonly [string, readonly unknown[], string])[] = [
  ['email.send', [call('s1', 'email.send', { to: 'eve@evil.example', body: 'x' })], 'tool_not_in_template'],
  ['a tool that nobody has', [call('s1', 'email.shred', { to: 'eve@evil.example' })], 'tool_unknown'],
  ['a tool that exists, for others', [call('s1', 'email.list', {})], 'tool_not_in_template'],
  ['a private read of the calendar', [call('s1', 'calendar.list_events', SPAN)], 'tool_not_in_template'],
  ['the owner’s memory', [call('s1', 'memory.search', {})], 'tool_not_in_template'],
  ['an administrator’s tool', [call('s1', 'admin.grant', {})], 'tool_unknown'],
  [
    'one behind a step that is allowed',
    [call('s1', 'calendar.freebusy', SPAN), call('s2', 'email.read', { id: { $ref: 's1.slots[0].from' } })],
    'tool_not_in_template',
  ],
]

test.each(REFUSED)(
  '%s: nothing runs, the person is told, and the audit says why',
  async (_name, steps, code) => {
    const { report, audit, told } = await planned(steps)
    expect(report.task).toMatchObject({ template: 'whatsapp_scheduling', trouble: code, steps: [] })
    // The planner gets the code and one more try.
    const denied = audit.filter(({ kind }) => kind === 'denial').map(({ facts }) => facts['code'])
    expect(denied).toEqual([code, code])
    expect(audit.map(({ kind }) => kind)).not.toContain('tool_invoked')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/[a-z]{3,} [a-z]+/)
    expect(told[0]).not.toMatch(/tool_|email\.|admin|memory\./)
  },
)

test('the one tool that the template gives is in the plan, and waits for a grant: the refusals above are about the tool', async () => {
  const { report, audit } = await planned([call('s1', 'calendar.freebusy', SPAN)])
  // Only the owner may allow a stranger to know this, and the edge has no grant of the owner's.
  expect(report.task).toMatchObject({ trouble: 'grant_missing', steps: [{ tool: 'calendar.freebusy' }] })
  expect(audit.filter(({ kind }) => kind === 'denial').map(({ facts }) => facts['code'])).toEqual([
    'grant_missing',
  ])
})
