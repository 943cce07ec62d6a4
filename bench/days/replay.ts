/**
 * Replays a recorded day through the real pipeline: the models give the answers in the file, and the owner approves every card.
 * Reports what differs from the record. Must not judge a flow itself. Called by test/pipeline/days.test.ts.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createWorld, scriptedModel, type World } from '../../test/pipeline/world.ts'
import { type Accounts, atWall, createAccounts } from './accounts.ts'
import type { Day, Request, Wrote } from './day.ts'

const MINUTE = 60_000
/** Time between two requests, in ms. */
const PAUSE = 30 * MINUTE
const DAY_LENGTH = 24 * 60 * MINUTE
/** Maximum cards of one request; more would be a loop. */
const MOST_ASKED = 8
const GRANT_DAYS = 30
/** Maximum facts read; more than a day has. */
const FACTS = 100
const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const

export interface Replayed {
  /** Differences from the record, each with its request. */
  readonly faults: readonly string[]
  /** Requests without a card for which a careful person expects one. */
  readonly missing: readonly string[]
  /** Requests with a card that nobody expects, with its reasons. */
  readonly surplus: readonly string[]
  /** The day's approvals by reason, as `pfar status` counts them. */
  readonly asked: readonly { readonly reason: string; readonly count: number }[]
  readonly cards: number
}

interface Played {
  readonly request: Request
  readonly faults: readonly string[]
  /** Reasons of the request's cards. */
  readonly asked: readonly string[]
}

interface Replay {
  readonly day: Day
  readonly world: World
  readonly accounts: Accounts
  readonly script: Script
}

export async function replay(day: Day): Promise<Replayed> {
  const accounts = createAccounts(day)
  const script = createScript()
  const { contacts } = day
  const world = createWorld({ tools: accounts.tools, models: [script.model], contacts })
  const running = { day, world, accounts, script }
  await grantAll(running)
  const begun = atWall(day.start)
  const results: Played[] = []
  for (const [index, request] of day.requests.entries()) {
    world.clock.now = begun + index * PAUSE
    results.push(await play(running, request, `r${index + 1}`))
  }
  const asked = world.powers.store.askedSince(begun)
  return {
    faults: results.flatMap(({ request, faults }) => faults.map((fault) => `“${request.say}”: ${fault}`)),
    missing: results.flatMap(({ request: { say, card }, asked }) =>
      card && asked.length === 0 ? [say] : [],
    ),
    surplus: results.flatMap(({ request: { say, card }, asked }) =>
      card || asked.length === 0 ? [] : [`“${say}”: ${asked.join(', ')}`],
    ),
    asked,
    cards: asked.reduce((sum, { count }) => sum + count, 0),
  }
}

/** Replays the day before: one card each, approved and answered with "always". */
async function grantAll({ day, world, script }: Replay): Promise<void> {
  world.clock.now = atWall(day.start) - DAY_LENGTH
  for (const [index, { say, plans, perDay }] of day.grants.entries()) {
    script.load(plans, [])
    const message = `g${index + 1}`
    await world.say(say, message)
    const [view] = await world.ports.approvals.list(OWNER_PRINCIPAL)
    if (view === undefined) throw new Error(`${day.name}: “${say}” asked nothing that could be granted`)
    const terms = { approval: view.id, days: GRANT_DAYS, perDay }
    const put = await world.shell.always({ ...OWNER, message }, terms)
    if (!put.ok) throw new Error(`${day.name}: “${say}” was not granted: ${put.reason.code}`)
    const [fault] = script.faults(undefined)
    if (fault !== undefined) throw new Error(`${day.name}: “${say}”: ${fault}`)
    await decide(world, view.id, message)
    await decide(world, put.value.approval, `${message}-always`)
  }
}

async function decide(world: World, approval: string, message: string): Promise<void> {
  const decided = await world.shell.decide({ ...OWNER, approval, decision: 'approve', message })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}

async function play({ world, accounts, script }: Replay, request: Request, id: string): Promise<Played> {
  script.load(request.plans, request.answers)
  const [calls, events, audit] = [world.calls.length, accounts.written.length, world.audited.length]
  const before = factsIn(world)
  const task = await world.say(request.say, id)
  const asked: string[] = []
  for (let round = 0; round < MOST_ASKED; round += 1) {
    const [view] = await world.ports.approvals.list(OWNER_PRINCIPAL)
    if (view === undefined) break
    for (let count = 0; count < view.count; count += 1) asked.push(view.reason)
    await decide(world, view.id, `${id}-${round}`)
  }
  const report = await world.shell.report(task)
  const saved = factsIn(world).filter((fact) => !before.includes(fact))
  const texts = saved.length === 0 ? [] : await textsOf(world, saved)
  const written = [...accounts.written.slice(events), ...texts.map(asFact)]
  const codes = world.audited
    .slice(audit)
    .flatMap(({ kind, facts: { code } }) => (kind === 'denial' ? [code] : []))
  const readMail = world.calls.slice(calls).some(({ tool }) => tool.startsWith('email.'))
  const undone = (report?.task.steps ?? []).filter(({ outcome }) => outcome !== 'done')
  const faults = [
    ...(request.refused !== undefined ? [] : undone.map(({ tool, outcome }) => `${tool} ${outcome}`)),
    ...(report?.task.state === 'completed' ? [] : [`ended as ${report?.task.state ?? 'nothing'}`]),
    ...(report?.reply ? [] : ['was not answered']),
    ...script.faults(request.told),
    ...differs('cards', asked, request.asked),
    ...differs('writes', written.map(sorted), request.wrote.map(sorted)),
    ...(request.refused === undefined || codes.includes(request.refused) ? [] : ['was not refused']),
    ...(request.refused !== undefined || codes.length === 0 ? [] : [`was refused: ${codes.join(', ')}`]),
    ...(request.mail && !readMail ? ['looked at no mail'] : []),
  ]
  return { request, faults, asked }
}

function factsIn(world: World): readonly string[] {
  return world.disk.store.facts(OWNER_PRINCIPAL, FACTS).map(({ id }) => id)
}

async function textsOf(world: World, ids: readonly string[]): Promise<readonly string[]> {
  const entries = await world.ports.memory.list({ principal: OWNER_PRINCIPAL, sink: 'sink:terminal:owner' })
  return entries.filter(({ id }) => ids.includes(id)).map(({ text }) => text)
}

function asFact(text: string): Wrote {
  return { do: 'remember', text, people: [] }
}

/** A write as JSON with sorted keys and addresses, to compare it. */
function sorted(wrote: Wrote): string {
  const fields = { ...wrote, people: [...wrote.people].sort() }
  return JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
}

function differs(what: string, found: readonly string[], expected: readonly string[]): readonly string[] {
  const [a, b] = [[...found].sort(), [...expected].sort()]
  return isDeepStrictEqual(a, b)
    ? []
    : [`${what}: ${a.join(' | ') || 'none'}, not ${b.join(' | ') || 'none'}`]
}

interface Script {
  readonly model: ModelProvider
  load(plans: readonly string[], answers: readonly string[]): void
  /**
   * Faults since the last load: unused answers, prompts without an answer, and expected text missing from the writer's input.
   */
  faults(told: string | undefined): readonly string[]
}

/** A model that gives the answers recorded for a day. */
function createScript(): Script {
  let plans: string[] = []
  let answers: string[] = []
  let unanswered: string[] = []
  let given = ''
  const next = (of: string[], { parts: { purpose } }: FinalPrompt): string => {
    const answer = of.shift()
    if (answer === undefined) unanswered.push(purpose)
    return answer ?? ''
  }
  const model = scriptedModel('recorded', (prompt) => {
    const { purpose, contents } = prompt.parts
    if (purpose === 'plan') return next(plans, prompt)
    if (purpose !== 'synthesize') return next(answers, prompt)
    given = JSON.stringify(contents)
    return 'Here it is.'
  })
  return {
    model,
    load(ofPlanner, ofReaders) {
      plans = [...ofPlanner]
      answers = [...ofReaders]
      unanswered = []
      given = ''
    },
    faults: (told) => [
      ...unanswered.map((purpose) => `nothing is recorded for ${purpose}`),
      ...plans.map(() => 'a recorded plan was not asked for'),
      ...answers.map((answer) => `the recorded answer “${answer}” was not asked for`),
      ...(told === undefined || given.includes(told) ? [] : [`the writer was not given “${told}”`]),
    ],
  }
}
