/**
 * Context of the output guard for a task: what its writer read, which parts others wrote, which writes ran,
 * names used by this place. Must not open a label or decide what may flow. Called by synthesize.ts and
 * guarded-answer.ts for model output, and by deliver.ts for everything that leaves.
 */
import { type Json, stringsIn } from '../../flow/json.ts'
import { EFFECT_IDS, lookUpAction } from '../../powers/effects.ts'
import type { Actions, SecretScan, SelfKnowledge, Templates, Texts } from '../../powers/ports.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { nameIn } from '../../self/snapshot.ts'
import type { StepTrace, Task } from '../../task/task.ts'
import { type OwnNames, ownNames } from './names.ts'
import { scrubSecrets } from './secrets.ts'
import type { GuardContext } from './unit.ts'

/** Maximum earlier tasks of a conversation whose actions an answer may mention. */
const EARLIER_TASKS = 10

/** Ports of what the guard must know about this place. */
export type GuardPorts = Actions & Templates & Texts & SelfKnowledge & SecretScan & StoreOf<TaskStore>

/**
 * The guard's context without the texts, which are opened where they are labelled. `looksBack`: the person
 * asks what was done, so an answer may claim earlier actions.
 */
export function guardFor(
  powers: GuardPorts,
  task: Task,
  { looksBack }: { readonly looksBack: boolean },
): Omit<GuardContext, 'read' | 'others'> {
  return {
    known: powers.known,
    own: ownNamesOf(powers),
    done: () => doneBy(powers, looksBack ? [task, ...earlierThan(powers, task)] : [task]),
    failed: () =>
      writesOf(powers, task.traces).flatMap(({ tool, outcome }) => (outcome === 'done' ? [] : [tool])),
  }
}

/** Built once for each place and name: prompts do not change while it runs. */
const OWN = new WeakMap<Actions['registry'], { readonly texts: Texts['texts']; readonly names: OwnNames }>()

function ownNamesOf({
  texts,
  registry,
  templates,
  self,
}: Actions & Templates & Texts & SelfKnowledge): OwnNames {
  const name = nameIn(self.current().sections)
  const known = OWN.get(registry)
  if (known?.texts === texts && known.names.name === name) return known.names
  const ids = [...templates.map(({ id }) => id), ...registry.actions.keys(), ...EFFECT_IDS]
  const made = ownNames(ids, texts, name)
  OWN.set(registry, { texts, names: made })
  return made
}

function earlierThan({ store }: StoreOf<TaskStore>, { principal }: Task): readonly Task[] {
  return store.recentTasks(principal, EARLIER_TASKS)
}

/** Action ids of the writes that ran in these tasks, and of texts that were composed. */
function doneBy(powers: Actions, tasks: readonly Task[]): readonly string[] {
  const ran = tasks
    .flatMap(({ traces }) => writesOf(powers, traces))
    .filter(({ outcome }) => outcome === 'done')
  const composed = tasks.some(({ results }) =>
    Object.values(results).some((result) => result.kind === 'sealed' && result.ref.holds.what === 'text'),
  )
  return [...ran.map(({ tool }) => tool), ...(composed ? ['compose'] : [])]
}

function writesOf(powers: Actions, traces: readonly StepTrace[]): readonly StepTrace[] {
  return traces.filter(({ tool }) => {
    const action = lookUpAction(powers.registry, tool)
    return action.ok && action.value.semantics === 'write'
  })
}

/**
 * Last check of everything that leaves, whoever wrote it: cards and notices contain text of others too
 * (E-18).
 */
export function withoutSecrets(powers: SecretScan, text: string): string {
  return scrubSecrets(text, powers.known)
}

/** Whether `withoutSecrets` would remove a part of the value. */
export function holdsSecret(powers: SecretScan, value: Json): boolean {
  return stringsIn(value).some((text) => withoutSecrets(powers, text) !== text)
}
