/** A world with a planner that asks for how it is set up, as a real one would: by what its prompt describes, else by a search for tools. For the tests of that. */
import { auditedAs, TOOLS } from './approvals-owner.ts'
import { world } from './job-world.ts'
import { scriptedModel, type World, type WorldOptions } from './world.ts'

export type Step = Readonly<Record<string, unknown>>
export const admin = (verb: string, args: Step = {}, id = 's1'): Step => ({
  ...{ id, do: 'tool', tool: `admin.${verb}`, args },
})

/** The owner's chats at home. */
export const OWN = {
  adminSinks: ['sink:terminal:owner', 'sink:telegram:private'],
  owner: ['telegram:1001'],
}

export function planned(options: WorldOptions = {}) {
  const plans: (readonly Step[])[] = []
  let wanted: { readonly step: Step; readonly sought: string } | null = null
  const model = scriptedModel('a-model', ({ parts }) => {
    if (parts.purpose !== 'plan') return 'It is so.'
    if (wanted === null) return JSON.stringify({ steps: plans.shift() ?? [] })
    const { step, sought } = wanted
    const isDescribed = parts.tools.some(({ id, shown }) => id === step['tool'] && shown !== 'named')
    const hasSought = parts.metadata.some(({ action }) => action === 'tools.search')
    if (isDescribed) return JSON.stringify({ steps: [{ ...step, id: hasSought ? 's2' : 's1' }] })
    if (hasSought) return JSON.stringify({ steps: [], left_out: 'no tool' })
    const search = { id: 's1', do: 'tool', tool: 'tools.search', args: { words: sought } }
    return JSON.stringify({ steps: [search], again: true })
  })
  const here = world({ models: [model], tools: TOOLS, ...options })
  async function asking(said: string): Promise<string> {
    const task = await here.say(said)
    await here.shell.tick()
    const traces = here.disk.store.loadTask(task)?.traces ?? []
    return traces
      .filter(({ tool }) => tool !== 'tools.search')
      .map(({ outcome, reason }) => reason ?? outcome)
      .join()
  }
  return {
    ...here,
    /** What became of each step of this plan. */
    does(said: string, ...steps: readonly Step[]): Promise<string> {
      plans.splice(0, plans.length, steps)
      return asking(said)
    },
    /** The same of a planner that knows the one action which its prompt describes. */
    async means(said: string, step: Step, sought: string): Promise<string> {
      wanted = { step, sought }
      const done = await asking(said)
      wanted = null
      return done
    },
  }
}

/** Rows of operations that changed anything, or put a card that would. */
export const changed = (of: World) =>
  auditedAs(of, 'operation_called').filter(
    ({ operation }) => !/^(?:approvals|jobs\.enable)/.test(String(operation)),
  )

/** Home takes what is given, and holds it. */
export function connecting(given: string[], ...missing: readonly string[]): WorldOptions {
  const lacking = new Set(missing)
  const take = async (service: string, value: string) => {
    given.push(value)
    lacking.delete(service)
    return { ok: true, value: 'stored' } as const
  }
  return {
    credentials: {
      ...{ lacking, refusal: () => null, give: take, replace: take },
      hasStored: (service) => !lacking.has(service),
    },
  }
}
