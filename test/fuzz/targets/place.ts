/**
 * Fuzz targets that need a whole place behind them: what a model answers to a planner, what the edge claims to remember,
 * and bodies on the real socket. Slow: each run stores, seals or connects.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeOpenMemory } from '../../../kernel/features/memory/open-memory.ts'
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import { checkPlace } from '../../../kernel/flow/place.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { isReasonCode } from '../../../kernel/reasons.ts'
import { parseBody } from '../../../kernel/tunnel/body.ts'
import { listen } from '../../../sidecar/line/listen.ts'
import { given } from '../../home/fixtures/backup.ts'
import { PLAIN_LINE } from '../../home/fixtures/line.ts'
import { connectClient } from '../../home/fixtures/process.ts'
import { createWorld, scriptedModel } from '../../pipeline/world.ts'
import { CANARY, type Target } from '../target.ts'

const OWNER = 'principal:owner'
const CLEAN: Json = { level: 'clean', origins: [], touchedBy: [] }
const INTERNAL: Json = { atoms: [{ origin: CANARY, field: 'words', level: 'internal', compartment: null }] }

let answer = ''
const planner = scriptedModel('m', ({ parts }) => (parts.purpose === 'plan' ? answer : 'ok'))
const planning = createWorld({ models: [planner] })

/** Whatever a model says instead of a plan, the task ends and the owner hears something else than that text. */
async function planned(input: unknown): Promise<Result<unknown>> {
  answer = String(input)
  const report = await planning.shell.report(await planning.say('please do something odd'))
  if (report === null || !['completed', 'failed', 'awaiting_approval'].includes(report.task.state))
    throw new Error(`a task that is left ${report?.task.state}`)
  const { code } = planning.audited.findLast(({ kind }) => kind === 'denial')?.facts ?? {}
  return isReasonCode(code) && report.task.state === 'failed' ? err(code) : ok(report.task.steps.length)
}

const PLAN: Json = {
  steps: [{ id: 's1', do: 'tool', tool: 'memory.search', args: { query: CANARY } }],
  explanation: CANARY,
}

const home = createWorld()
let told = 0

/** As home's inbox hands it over: the body was parsed, the content is the edge's own. */
async function remembered(input: unknown): Promise<Result<unknown>> {
  told += 1
  const [what, content] = Array.isArray(input) ? input : []
  const parsed = parseBody({
    type: 'memory',
    memory: { id: `m${told}`, principal: OWNER, what, at: told, content },
  })
  if (!parsed.ok || parsed.value.type !== 'memory') return err('frame_malformed')
  const before = home.audited.length
  await takeOpenMemory(home.powers, parsed.value.memory)
  const denied = home.audited.slice(before).find(({ kind }) => kind === 'denial')
  if (denied !== undefined) return { ok: false, reason: { code: denied.facts['code'] as never, facts: {} } }
  const kept = [...home.disk.store.facts(OWNER, 1), ...home.disk.store.workingMemory(OWNER, 3)]
  if (kept.some(({ ref }) => !checkPlace('edge', ref.label).allow))
    throw new Error('the edge’s word for what it may not know')
  return ok(true)
}

const path = join(mkdtempSync(join(tmpdir(), 'pfar-fuzz-')), 'home.sock')
const faults: string[] = []
const SERVED = {
  ...PLAIN_LINE,
  path,
  methods: { echo: async (params: unknown) => (isPlainRecord(params) ? err('task_unknown') : ok({})) },
  fault: (method: string) => void faults.push(method),
}

/** A server for each exchange: one that stayed would keep the process. Each body gets one answer, which does not repeat it. */
async function exchanged(input: unknown): Promise<Result<unknown>> {
  const server = given(await listen(SERVED))
  const client = await connectClient(path)
  try {
    for (const at of ['/methods/echo', '/events', '/hello']) {
      const { answer } = await client.post(at, String(input))
      if (JSON.stringify(answer).includes(CANARY)) throw new Error('an answer repeats its body')
    }
    if (faults.length > 0) throw new Error('a method threw')
    return ok(true)
  } finally {
    client.socket.destroy()
    await server.close()
  }
}

const RESULT: Json = {
  action: 'web.read',
  output: { title: CANARY, links: [], language: 'en' },
  inputs: { label: INTERNAL, taint: CLEAN },
  reported: null,
}

export const PLACE_TARGETS: readonly Target[] = [
  { name: 'plan of a model', form: 'json', samples: [PLAN], parse: planned, slow: true },
  {
    ...{ name: 'memory of the edge', form: 'value', parse: remembered, slow: true },
    samples: [
      ['fact', { text: CANARY, label: INTERNAL, taint: CLEAN }],
      ['turn', { words: CANARY, records: [RESULT, { ...RESULT, reported: 'internal' }] }],
    ],
  },
  {
    ...{
      name: 'body on the socket',
      form: 'json',
      parse: exchanged,
      slow: true,
      process: true,
      bounds: [100],
    },
    samples: [{ text: CANARY }, { after: -7, as: CANARY }],
  },
]
