/** What the tests of approvals do as the owner: ask for a booking, answer, look. Called by test/pipeline/approvals-*.test.ts. */
import type { ApprovalView } from '../../kernel/features/approvals/port.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { DecisionInput } from '../../kernel/task/approval.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

export const TOOLS = { ...mailTools(), ...calendarTools() }
export const BOOK = 'book lunch with Sarah on Friday at 13:00'
export const OWNER = 'principal:owner'

/** A planner that answers every message with this plan. */
export function planning(...steps: readonly Record<string, unknown>[]) {
  const plan = JSON.stringify({ steps, explanation: '' })
  return scriptedModel('rules', ({ parts }) => (parts.purpose === 'plan' ? plan : 'done'))
}

export function booking(args: Record<string, unknown>, id = 's1') {
  const when = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
  return { id, do: 'tool', tool: 'calendar.create_event', args: { title: 'Lunch', ...when, ...args } }
}

/** Reads one mail of a stranger's, so that its text may be used. */
export const READING = { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } }

export function worldWith(options: WorldOptions = {}): World {
  return createWorld({ tools: TOOLS, ...options })
}

export async function waiting(world: World): Promise<readonly ApprovalView[]> {
  return world.ports.approvals.list(OWNER)
}

export async function onlyOne(world: World): Promise<ApprovalView> {
  const [view, ...others] = await waiting(world)
  if (view === undefined || others.length > 0) throw new Error(`${others.length} more questions, or none`)
  return view
}

/** Decides and lets what follows run; `ok` or the reason. */
export async function answer(
  world: World,
  approval: string,
  how: Partial<DecisionInput> = {},
): Promise<string> {
  const decided = await world.shell.decide({
    ...{ approval, decision: 'approve', principal: OWNER, place: 'home' },
    ...how,
  })
  if (!decided.ok) return decided.reason.code
  await world.shell.run(decided.value.principal)
  return 'ok'
}

export function created(world: World): readonly unknown[] {
  return world.calls.filter(({ tool }) => tool === 'calendar.create_event').map(({ args }) => args['title'])
}

export function auditedAs(world: World, kind: string) {
  return world.audited.filter((line) => line.kind === kind).map(({ facts }) => facts)
}

/** Another chat of the owner's at home, and its template. */
export const LOW = 'sink:probe:owner'
export const PROBE = {
  ...{ template_id: 'probe_owner', triggers: ['adapter:probe:*:owner'], principal_class: 'owner' },
  ...{ description: 'Another chat', allowed_tools: ['email.list'], max_tool_calls: 1 },
  ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, output_sinks: ['reply_to_sender'] },
  data_ceiling: 'internal',
}
/** That chat, which may show no private data. */
export const withLowChat = (policy: Policy): Policy => ({
  ...policy,
  sinks: [
    ...policy.sinks,
    {
      ...{ id: LOW, level: 'internal', compartments: [], place: 'home' },
      ...{ principal: 'principal:owner', audience: 'sole' },
    },
  ],
  allowLists: policy.allowLists.map((list) => ({ ...list, patterns: [...list.patterns, LOW] })),
})
