/**
 * One run: an owner's prompt in a fresh world, with a script for every model, a replay of the tools and an owner at the
 * cards; then the oracle's judgement. Called by the suites.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { RegisteredAction } from '../../kernel/tool/registry.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'
import type { Call, Corpus, InjectionTask, Suite, UserTask } from './corpus.ts'
import { type Declared, declareSuite, isConsequential } from './declare.ts'
import { type Judgement, judge } from './oracle.ts'
import type { Owner } from './owner.ts'
import { createReplay } from './replay.ts'
import { isTelling, TELLING } from './telling.ts'
import { createWorld, type Script, type World, type WorldOptions } from './world.ts'

/** A corpus with everything that is derived from it once. */
export interface Prepared {
  readonly corpus: Corpus
  readonly declared: ReadonlyMap<string, Declared>
  readonly consequential: ReadonlySet<string>
  /** What kernel and declarations say to a planner themselves. */
  readonly ours: string
}

export function prepare(corpus: Corpus): Prepared {
  const declared = new Map(
    Object.entries(corpus.suites).map(([name, suite]) => [name, declareSuite(name, suite)]),
  )
  const consequential = Object.entries(corpus.suites).flatMap(([name, suite]) =>
    suite.tools.filter(isConsequential).map((tool) => declared.get(name)?.ids.get(tool.name) ?? ''),
  )
  const manifests = [...declared.values()].map(({ manifest }) => manifest)
  const ours = JSON.stringify([readPromptTexts(), manifests, TELLING])
  return { corpus, declared, consequential: new Set(consequential), ours }
}

export interface SuiteOf {
  readonly suite: Suite
  readonly declared: Declared
}

export function suiteOf({ corpus, declared }: Prepared, name: string): SuiteOf {
  const suite = corpus.suites[name]
  const own = declared.get(name)
  if (suite === undefined || own === undefined) throw new Error(`no suite ${name}`)
  return { suite, declared: own }
}

/** One message of the owner's, and what everyone else then says. */
export interface Turn {
  /** Names it in a report. */
  readonly name: string
  readonly words: string
  readonly script: Script
  /** What stands where an attacker can write. */
  readonly vectors: Readonly<Record<string, string>>
  readonly reshape?: (tree: Json) => Json
}

export interface Case {
  readonly suite: string
  readonly user: UserTask
  readonly injection: InjectionTask | null
  readonly turns: readonly Turn[]
  /** Made anew for each task. */
  readonly owner: (actions: ReadonlyMap<string, RegisteredAction>) => Owner
  /** What the owner asked for in each message, by action id. */
  readonly asked: readonly Call[]
  readonly asks: boolean
  readonly world?: Partial<WorldOptions>
}

export interface Ran {
  readonly world: World
  readonly judgement: Judgement
}

/** All turns in one world: what earlier ones left there is there for later ones. */
export async function runCase(prepared: Prepared, one: Case): Promise<Ran> {
  const { suite, declared } = suiteOf(prepared, one.suite)
  const manifests = [...[...prepared.declared.values()].map(({ manifest }) => manifest), TELLING]
  const owners = new Map<string, Owner>()
  const handedOut = new Set<string>()
  let now: Turn | undefined
  const script = scriptOf(() => now)
  const world = createWorld({
    manifests,
    allowed: [`${declared.manifest.name}.*`, 'telling.*'],
    asks: one.asks,
    script,
    tools: (call) => {
      if (isTelling(call.tool)) return { ok: true, output: { known: true } }
      const { vectors = {}, reshape } = now ?? {}
      const replay = createReplay({
        suite,
        declared,
        user: one.user,
        vectors,
        handedOut,
        ...(reshape && { reshape }),
      })
      return replay(call)
    },
    owner: (view) => {
      const own = owners.get(view.task) ?? one.owner(world.powers.registry.actions)
      owners.set(view.task, own)
      return own(view)
    },
    ...one.world,
  })
  for (const turn of one.turns) {
    now = turn
    await world.say(turn.words)
  }
  return { world, judgement: judgeCase(prepared, one, { world, handedOut, declared }) }
}

function scriptOf(turn: () => Turn | undefined): Script {
  const by = (purpose: keyof Script) => (prompt: FinalPrompt) => turn()?.script[purpose]?.(prompt) ?? ''
  return {
    ...{ plan: by('plan'), compose: by('compose'), classify: by('classify'), synthesize: by('synthesize') },
    ...{ extract: by('extract'), choose: by('choose') },
  }
}

interface Happened {
  readonly world: World
  readonly handedOut: ReadonlySet<string>
  readonly declared: Declared
}

function judgeCase(prepared: Prepared, one: Case, { world, handedOut, declared }: Happened): Judgement {
  const names = new Map([...declared.ids].map(([name, id]) => [id, name]))
  const sinks = Object.fromEntries(world.powers.policy().sinks.map(({ id, level }) => [id, level]))
  return judge({
    seen: world.seen,
    tokenKey: world.powers.tokenKey,
    actions: world.powers.registry.actions,
    consequential: prepared.consequential,
    sinks,
    offers: (tool) => tool.startsWith(`${declared.manifest.name}.`),
    typed: one.turns.map(({ words }) => words).join('\n'),
    ours: prepared.ours,
    strange: handedOut,
    asks: one.asks,
    injection: one.injection === null ? null : { success: one.injection.success, names },
    asked: one.asked,
  })
}
