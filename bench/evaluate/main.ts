/**
 * `npm run evaluate`: sends each request of the owner to a fresh demo, with or without a model, and judges it by the state of
 * mailbox, calendar, chat and the owner's own things at home afterwards.
 *
 *   --model ID      a provider of the owner's config.toml, its key in PFAR_MODEL_KEY; `rules` (default): none; `recorded`
 *   --cases FILE    other requests                       --only TEXT     those whose id or area holds this
 *   --record        answers from a file by the digest of the prompt; prompts without one are written to a folder
 *   --answers FILE  that file                            --prompts DIR   that folder
 *   --show          what the owner saw, too              --json          one document with all of it
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TomlTable } from 'smol-toml'
import { type OpenDemo, openDemo } from '../../scripts/demo/place.ts'
import { preferredPort } from '../../scripts/start/port.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { type RecordedAnswers, serveAnswers, serveRelay } from './answers.ts'
import { type Case, type Day, REQUESTS, readCases } from './case.ts'
import { type FreshHome, type Homes, prepareHomes } from './home.ts'
import { type Own, readOwn } from './own.ts'
import { type CaseResult, lineOf, summaryOf, tableOf, transcriptOf } from './result.ts'
import { problemsOf } from './score.ts'
import { ownProblems } from './score-own.ts'
import { readState } from './state.ts'
import { talk } from './talk.ts'

/** A Thursday morning, so "Friday" is tomorrow and "Monday" is next week. */
const DAY: Day = { now: Date.parse('2026-11-26T15:00:00Z'), timezone: 'America/New_York' }
/** Fixed port of the page: its address is in requests, so with another port no recorded answer would match. */
const PAGES_PORT = 18_747
/** Maximum time for one message, in ms; a local model may have to be loaded. */
const WITHIN = { rules: 60_000, model: 600_000 } as const

export interface Options {
  readonly model: string
  readonly cases: readonly Case[]
  readonly answers: string
  /** Folder for prompts that have no answer; null: none are written. */
  readonly prompts: string | null
  readonly progress: (result: CaseResult) => void
}

interface Model {
  /** Entry of the configuration; null for none. */
  readonly provider: TomlTable | null
  readonly recorded: RecordedAnswers | null
  close(): Promise<void>
}

export async function evaluate(options: Options): Promise<readonly CaseResult[]> {
  const model = await modelOf(options)
  const pagesPort = model.recorded === null ? 0 : await preferredPort(PAGES_PORT)
  const demo = await openDemo({ ...DAY, googlePort: 0, pagesPort })
  const homes = await prepareHomes({ ...DAY, demo: demo.place, provider: model.provider })
  try {
    const results: CaseResult[] = []
    for (const one of options.cases) {
      demo.reset()
      const result = await evaluateCase(one, { homes, place: demo.place, model }).catch((error) =>
        brokenCase(one, error),
      )
      options.progress(result)
      results.push(result)
    }
    return results
  } finally {
    homes.remove()
    await Promise.all([demo.close(), model.close()])
  }
}

interface World {
  readonly homes: Homes
  readonly place: OpenDemo['place']
  readonly model: Model
}

async function evaluateCase(one: Case, { homes, place, model }: World): Promise<CaseResult> {
  const since = performance.now()
  const home: FreshHome = await homes.fresh()
  try {
    const before = await readState(place.google)
    const between: Own[] = []
    const isFollowed = [one.expect.remindersGone, one.expect.tasksDone, one.expect.jobsGone].flat().length > 0
    const { said, transcript, trouble } = await talk(home.link, one, {
      article: place.article,
      within: model.provider === null ? WITHIN.rules : WITHIN.model,
      isOpen: model.recorded?.isOpen ?? (() => false),
      between: async () => {
        // Each read draws ids at home, so it is made only where it is judged; other prompts keep their bytes.
        if (isFollowed) between.push(await readOwn(home.link))
      },
    })
    const after = await readState(place.google)
    const own = { before: homes.before, between, after: await readOwn(home.link) }
    const missing = model.recorded?.takeMissing() ?? []
    const problems = [
      ...(trouble === null ? [] : [`ended with ${trouble}`]),
      ...problemsOf(one.expect, { before, after, said }, DAY),
      ...ownProblems(one.expect, own, DAY),
    ]
    const { id, area, language } = one
    return {
      ...{ id, area, language, with: one.with ?? null, missing, transcript },
      state: missing.length > 0 ? 'open' : problems.length > 0 ? 'failed' : 'done',
      why: missing.length > 0 ? ['no answer to its prompt'] : problems,
      cards: said.cards,
      ms: Math.round(performance.now() - since),
    }
  } finally {
    await home.stop()
  }
}

/** Result of a request whose home does not start or whose demo does not answer; the others go on. */
function brokenCase({ id, area, language, with: later }: Case, error: unknown): CaseResult {
  const why = [error instanceof Error ? error.message : 'it broke off']
  const nothing = { missing: [], transcript: [], cards: 0, ms: 0 }
  return { id, area, language, with: later ?? null, state: 'failed', why, ...nothing }
}

async function modelOf({ model, answers, prompts }: Options): Promise<Model> {
  if (model === 'rules') return { provider: null, recorded: null, close: async () => undefined }
  if (model === 'recorded') {
    const recorded = await serveAnswers({ answers, prompts })
    const provider = {
      name: 'recorded',
      kind: 'openai',
      model: 'recorded',
      base_url: `${recorded.origin}/v1`,
    }
    return { provider, recorded, close: recorded.close }
  }
  const config = loadConfig(process.env, statePaths(process.env).root)
  const found = config.ok ? config.value.models.providers.find(({ name }) => name === model) : undefined
  if (found === undefined) throw new Error(`config.toml has no model provider named ${model}`)
  const { kind, baseUrl, model: named } = found
  const relay = await serveRelay({ target: baseUrl, kind, key: process.env['PFAR_MODEL_KEY'] ?? null })
  return {
    provider: { name: 'asked', kind, model: named, base_url: relay.origin },
    recorded: null,
    close: relay.close,
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      cases: { type: 'string' },
      only: { type: 'string', default: '' },
      record: { type: 'boolean', default: false },
      answers: { type: 'string', default: join(REQUESTS, 'answers.json') },
      prompts: { type: 'string', default: join(REQUESTS, 'prompts') },
      show: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const wanted = ({ id, area }: Case): boolean => `${area} ${id}`.includes(values.only)
  const results = await evaluate({
    model: values.model ?? (values.record ? 'recorded' : 'rules'),
    cases: readCases(values.cases).filter(wanted),
    answers: values.answers,
    prompts: values.record ? values.prompts : null,
    progress: (result) => {
      const text = values.show ? `${lineOf(result)}${transcriptOf(result)}` : lineOf(result)
      ;(values.json ? process.stderr : process.stdout).write(text)
    },
  })
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ...summaryOf(results), cases: results }, null, 2)}\n`
      : tableOf(results),
  )
}
