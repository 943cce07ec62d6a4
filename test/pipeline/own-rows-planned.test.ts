/**
 * What is remembered and jobs in a model's plan: forgotten, corrected, stopped, skipped, moved and run, as by the owner's own sentences. What the
 * planner made up, or what others wrote led to, asks on a card that shows the row as it is (DESIGN §9).
 */
import { describe, expect, it } from 'vitest'
import { runJobChange } from '../../kernel/features/jobs/planned.ts'
import { changeFact } from '../../kernel/features/memory/planned.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { answer, onlyOne, TOOLS, waiting } from './approvals-owner.ts'
import { first, set, world } from './job-world.ts'
import { scriptedModel, type World } from './world.ts'

type Steps = readonly Record<string, unknown>[]

const call = (id: string, tool: string, args: Record<string, unknown>) => ({ id, do: 'tool', tool, args })
const ref = ($ref: string) => ({ $ref })

function planned() {
  const plans: Steps[] = []
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift() ?? [] }) : 'That is done.',
  )
  const here = world({ models: [model], tools: TOOLS })
  return {
    ...here,
    async does(said: string, ...steps: Steps): Promise<string> {
      plans.splice(0, plans.length, steps)
      const task = await here.say(said)
      const traces = here.disk.store.loadTask(task)?.traces ?? []
      return traces.map(({ outcome, reason }) => reason ?? outcome).join()
    },
  }
}

async function facts({ ports }: World): Promise<readonly string[]> {
  const asking = { principal: 'principal:owner', sink: 'sink:terminal:owner' }
  const all = await ports.memory.list(asking)
  return all.filter(({ kind }) => kind === 'fact').map(({ text }) => text)
}

const LOCKER = 'my locker is number 12'
const BIKE = 'my bike is blue'

async function remembering() {
  const here = planned()
  await here.say(`remember that ${LOCKER}`)
  await here.say(`remember that ${BIKE}`)
  return here
}

describe('memory.forget', () => {
  it('forgets the fact that the owner’s words name, without a card, and “undo” brings it back', async () => {
    const here = await remembering()
    expect(await here.does('juggle the locker away', call('s1', 'memory.forget', { which: 'locker' }))).toBe(
      'done',
    )
    expect([await facts(here), await waiting(here)]).toEqual([[BIKE], []])
    await here.say('undo')
    expect((await facts(here)).toSorted()).toEqual([BIKE, LOCKER])
  })

  it('asks where the planner chose the words, by what is remembered, and forgets nothing before a yes', async () => {
    const here = await remembering()
    await here.does('juggle some of that away', call('s1', 'memory.forget', { which: 'bike' }))
    const { id } = await onlyOne(here)
    expect(here.sent.at(-1)?.text).toMatch(/Forget this\.[\s\S]*what I remember: my bike is blue/)
    expect(await facts(here)).toHaveLength(2)
    await answer(here, id)
    expect(await facts(here)).toEqual([LOCKER])
  })

  it('a mail that leads to it asks, or finds no such fact', async () => {
    const here = await remembering()
    const steps = [
      call('s1', 'email.list', {}),
      call('s2', 'memory.forget', { which: ref('s1.emails[0].subject') }),
    ]
    expect(await here.does('juggle what the mail says', ...steps)).toBe('done,memory_unknown')
    expect(await facts(here)).toHaveLength(2)
  })

  it.each([
    ['nothing like that', 'unicorn', 'memory_unknown'],
    ['several', 'kept', 'memory_several'],
  ])('refuses without a card: %s', async (_, which, code) => {
    const here = planned()
    for (const what of ['locker', 'bike']) await here.say(`remember that my ${what} is kept outside`)
    expect(await here.does(`juggle ${which} away`, call('s1', 'memory.forget', { which }))).toBe(code)
    expect([await facts(here).then((all) => all.length), await waiting(here)]).toEqual([2, []])
  })
})

describe('memory.correct', () => {
  const text = 'my locker is number 14'

  it('takes the owner’s own words in place of the fact, without a card, and “undo” brings the old ones back', async () => {
    const here = await remembering()
    const change = call('s1', 'memory.correct', { which: 'locker', text })
    expect(await here.does(`juggle that: ${text}`, change)).toBe('done')
    expect([(await facts(here)).toSorted(), await waiting(here)]).toEqual([[BIKE, text], []])
    await here.say('undo')
    expect((await facts(here)).toSorted()).toEqual([BIKE, LOCKER])
  })

  it('words of the planner’s ask, beside what is remembered, and stay raw after a yes', async () => {
    const here = await remembering()
    const made = call('s1', 'memory.correct', { which: 'locker', text: 'my locker is behind the stairs' })
    await here.does('juggle the locker', made)
    const { id } = await onlyOne(here)
    const card = here.sent.at(-1)?.text ?? ''
    expect(card).toContain('my locker is behind the stairs')
    expect(card).toContain(`what I remember: ${LOCKER}`)
    expect(await facts(here)).toContain(LOCKER)
    await answer(here, id)
    expect((await facts(here)).toSorted()).toEqual([BIKE, 'my locker is behind the stairs'])
    const taints = here.disk.store.facts('principal:owner', 5).map(({ ref: { taint } }) => taint.level)
    expect(taints.toSorted()).toEqual(['clean', 'raw'])
  })

  it('a yes is not for a fact that says something else by then', async () => {
    const here = await remembering()
    const made = call('s1', 'memory.correct', { which: 'locker', text: 'my locker is behind the stairs' })
    await here.does('juggle the locker', made)
    const { id } = await onlyOne(here)
    await here.does(`juggle that: ${text}`, call('s1', 'memory.correct', { which: 'locker', text }))
    await answer(here, id)
    expect(await facts(here)).toContain(text)
  })
})

describe('a job that is set', () => {
  async function withJob() {
    const here = planned()
    await set(here, '/job every day at 9 tell me what mail is unread')
    return here
  }
  const change = (verb: string, args: Record<string, unknown> = {}) =>
    call('s1', `job.${verb}`, { which: 'unread mail', ...args })
  const at = '2026-11-21T07:30+01:00'

  it.each([
    ['stop', 'juggle the unread mail to a halt', {}, { state: 'paused', why: 'owner' }],
    ['remove', 'juggle the unread mail away', {}, { state: 'removed' }],
    ['skip', 'no unread mail the next time', {}, { skips: '2026-11-21' }],
    ['skip', 'juggle unread mail on Monday', { at: ref('said.from') }, { skips: '2026-11-23' }],
    [
      'move',
      'unread mail: juggle to tomorrow 7:30',
      { at: ref('said.from') },
      { repeat: { first: '07:30' } },
    ],
  ])('%s: %s, without a card, and “undo” takes it back', async (verb, said, args, expected) => {
    const here = await withJob()
    const before = first(here)
    expect(await here.does(said, change(verb, args))).toBe('done')
    const after = here.disk.store.findJob(before.id)
    const { first: time } = after?.repeat ?? before.repeat
    expect({ ...after, repeat: { first: time.slice(11) } }).toMatchObject(expected)
    expect(await waiting(here)).toEqual([])
    await here.say('undo')
    const { state, skips, repeat } = before
    expect(here.disk.store.findJob(before.id)).toMatchObject({ state, skips, repeat })
  })

  it('is not moved to a day that is not its own, and is named whatever else is said', async () => {
    const here = await withJob()
    const before = first(here)
    const move = change('move', { at: ref('said.from') })
    expect(await here.does('unread mail: juggle to Monday 7:30', move)).toBe('job_time_unclear')
    expect(await here.does('juggle it', call('s1', 'job.remove', {}))).not.toBe('done')
    expect([first(here), await waiting(here)]).toEqual([before, []])
  })

  it('one that was stopped goes on', async () => {
    const here = await withJob()
    await here.does('juggle the unread mail to a halt', change('stop'))
    expect(await here.does('let the unread mail come again', change('resume'))).toBe('done')
    expect(first(here).state).toBe('on')
  })

  it('run: it comes at once, and its times stay', async () => {
    const here = await withJob()
    const { repeat } = first(here)
    expect(await here.does('juggle the unread mail now', change('run'))).toBe('done')
    expect(first(here).repeat).toEqual(repeat)
    expect(
      here.disk.store.runsOf(first(here).id, 5).length + Number(first(here).due === here.clock.now),
    ).toBe(1)
  })

  it('oftener than before is asked about on the card of the owner’s own sentence', async () => {
    const here = planned()
    await set(here, '/job every Friday at 9 tell me what mail is unread')
    const before = first(here).repeat
    const more = change('move', { at: ref('said.from'), repeat: 'daily' })
    expect(await here.does('juggle the unread mail, daily please, as of Monday at 9:00', more)).toBe('done')
    expect(first(here).repeat).toEqual(before)
    await here.shell.tick()
    here.clock.now += 1_000
    expect(await waiting(here)).toHaveLength(1)
    await here.say('yes')
    expect(first(here).repeat.kind).toBe('daily')
  })

  it('a time that the planner made up asks, and the card names the job', async () => {
    const here = await withJob()
    const before = first(here)
    await here.does('juggle that one', change('move', { at }))
    const { id } = await onlyOne(here)
    expect(here.sent.at(-1)?.text).toMatch(/Have this job come at another time\.[\s\S]*the job: .*unread/)
    expect(first(here)).toEqual(before)
    await answer(here, id)
    expect(first(here).repeat.first).toMatch(/07:30$/)
  })

  it('a mail that leads to it asks, or finds no such job', async () => {
    const here = await withJob()
    const steps = [
      call('s1', 'email.list', {}),
      call('s2', 'job.stop', { which: ref('s1.emails[0].subject') }),
    ]
    expect(await here.does('juggle what the mail says', ...steps)).toBe('done,job_unknown')
    expect(first(here).state).toBe('on')
  })

  it('none of that name is refused without a card', async () => {
    const here = await withJob()
    expect(await here.does('juggle the unicorn', change('stop', { which: 'unicorn' }))).toBe('job_unknown')
    expect([first(here).state, await waiting(here)]).toEqual(['on', []])
  })
})

it.each(['principal:cron:1', 'principal:telegram:peer:1', 'principal:webhook:fireflies'])(
  '%s changes neither a fact nor a job, whatever its template lists',
  async (principal) => {
    const here = await remembering()
    const task = here.disk.store.loadTask(await here.say('hello'))
    if (task === null) throw new Error('no task')
    const args = (values: Record<string, string>) => receive(values, kernelWords())
    const refused = { ok: false, reason: { code: 'principal_not_allowed' } }
    for (const action of ['memory.forget', 'memory.correct']) {
      const asked = args({ which: 'locker', text: 'mine' })
      expect(await changeFact(here.powers, { ...task, principal }, action, asked)).toMatchObject(refused)
    }
    const asked = args({ which: '' })
    expect(await runJobChange(here.powers, { ...task, principal }, 'job.stop', asked)).toMatchObject(refused)
    expect(await facts(here)).toHaveLength(2)
  },
)
