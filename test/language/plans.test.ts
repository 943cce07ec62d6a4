/**
 * The planner without a model, over all that it is asked in tests: each declared sentence, each phrasing of a file, each text of others. Its plans
 * are plans by the kernel's own parser, with calls of declared shape; the same words and state give the same plan, in node and in workerd.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { phrasingsOf } from '../../bench/phrases/score.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { lookUpAction } from '../../kernel/powers/effects.ts'
import { parsePlan } from '../../kernel/task/plan-schema.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { requests, sentences } from '../attacks/embedded/requests.ts'
import { sampled } from '../kit/soak.ts'
import { plansOf } from './plans-of.ts'

/** In `npm test` each that many; a prime. */
const EACH = 53
/** Milliseconds for the bundle, and for all plans of a whole run at both places. */
const PATIENCE = 600_000
/** Messages of one request to workerd. */
const CHUNK = 100
/** What is learned from more than one of its alternatives is typed in three ways. */
const WAYS = 3

const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'))
const TYPED = FILES.flatMap((name) =>
  phrasingsOf(readFileSync(new URL(name, import.meta.url), 'utf8')).map(({ text }) => text),
)
const ALL = [...new Set([...TYPED, ...sentences(WAYS), ...requests().map(({ text }) => text)])]
const SOME = sampled(ALL, EACH)
const STATES = [false, true] as const

const WORKER = `
import { plansOf } from './plans-of.ts'
export default {
  async fetch(request) {
    const { texts, shown } = await request.json()
    return Response.json(plansOf(texts, shown))
  },
}`

let edge: Miniflare | undefined

beforeAll(async () => {
  const resolveDir = import.meta.dirname
  const { outputFiles } = await build({
    ...{
      stdin: { contents: WORKER, resolveDir, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    },
    ...{ logLevel: 'silent', conditions: ['workerd', 'worker', 'browser'] },
  })
  const script = outputFiles[0]?.text ?? ''
  edge = new Miniflare(
    convertV4MiniflareOptions({
      ...{ host: '127.0.0.1', port: 0, cf: false, telemetry: { enabled: false } },
      workers: [
        {
          name: 'plans',
          modules: [{ type: 'ESModule', path: 'index.js', contents: script }],
          modulesRoot: '.',
          compatibilityDate: '2025-06-01',
        },
      ],
    }),
  )
  await edge.ready
}, PATIENCE)
afterAll(() => edge?.dispose())

/** Of a hundred messages, so many may be understood at home alone. */
const MOST_LEFT = 0.06
/** What the edge never does: it has no mail, and of calendars only when somebody is free. */
const HOMES = /^(?:email\.|calendar\.(?:create|update|delete|answer)_)/

/** The edge plans nothing where home plans what home alone can do; whatever it plans is the same. */
function isLeftToHome(edge: string, home: string): boolean {
  const stepsOf = (text: string) =>
    (JSON.parse(text) as { readonly plan: { readonly steps: readonly { readonly tool?: string }[] } }).plan
      .steps
  return stepsOf(edge).length === 0 && stepsOf(home).some(({ tool = '' }) => HOMES.test(tool))
}

/** Of each chunk; nothing is planned here meanwhile, or a connection would be used that has ended unseen. */
async function plansAtEdge(
  chunks: readonly (readonly string[])[],
  shown: boolean,
): Promise<readonly string[][]> {
  const plans: string[][] = []
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (const texts of chunks) {
    const body = JSON.stringify({ texts, shown })
    const answer = await edge?.dispatchFetch('http://edge.example/', { method: 'POST', body })
    plans.push((await answer?.json()) as string[])
  }
  return plans
}

test('there are thousands of messages', () => {
  expect(FILES.length).toBeGreaterThan(4)
  expect(ALL.length).toBeGreaterThan(4_000)
})

describe.each(
  STATES.map((shown) => [shown ? 'with rows that were shown' : 'with nothing before', shown] as const),
)('the planner without a model, %s', (_, shown) => {
  test(
    'plans the same at both places, and each time',
    async () => {
      const chunks = Array.from({ length: Math.ceil(SOME.length / CHUNK) }, (_, n) =>
        SOME.slice(n * CHUNK, (n + 1) * CHUNK),
      )
      const atEdge = await plansAtEdge(chunks, shown)
      let left = 0
      for (const [n, texts] of chunks.entries()) {
        const home = plansOf(texts, shown)
        expect(
          atEdge[n]?.filter((plan, at) => plan !== home[at] && !isLeftToHome(plan, home[at] ?? '')),
        ).toEqual([])
        left += atEdge[n]?.filter((plan, at) => plan !== home[at]).length ?? 0
        // In another order, so that what was read before has no part in it.
        if (n % 8 === 0) expect(plansOf([...texts].reverse(), shown).toReversed()).toEqual(home)
      }
      expect(left / SOME.length).toBeLessThan(MOST_LEFT)
    },
    PATIENCE,
  )

  test(
    'writes what the kernel takes for a plan, of arguments that are declared',
    () => {
      const registry = createRegistry(TOOL_MANIFESTS)
      let calls = 0
      for (const [at, text] of plansOf(SOME, shown).entries()) {
        const { plan } = JSON.parse(text) as { readonly plan: unknown }
        const parsed = parsePlan(plan)
        expect([SOME[at], parsed]).toMatchObject([SOME[at], { ok: true }])
        for (const step of parsed.ok ? parsed.value.steps : []) {
          if (step.do !== 'tool' && step.do !== 'forEach') continue
          const action = lookUpAction(registry, step.tool)
          const declared = action.ok ? Object.keys(action.value.args.fields) : []
          expect([
            SOME[at],
            step.tool,
            Object.keys(step.args).filter((name) => !declared.includes(name)),
          ]).toEqual([SOME[at], step.tool, []])
          calls += 1
        }
      }
      // Else there would be nothing to judge.
      expect(calls).toBeGreaterThan(SOME.length / 10)
    },
    PATIENCE,
  )
})
