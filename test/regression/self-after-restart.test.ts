/**
 * The eight tests of S000 §9 (M-29), on the real pipeline, store and cipher. Integrations, skills and jobs come in through
 * the ports of the picture (`SelfSources`): home itself has one service so far, and no skills or jobs of the owner's. What is
 * on the disk, the persona and the conversation, is read back from the disk.
 */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { estimateTokens } from '../../kernel/prompt/budget.ts'
import { LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import { renderSelf } from '../../kernel/self/render.ts'
import type { Integration, Named } from '../../kernel/self/section.ts'
import { OWN_NAME, type SelfSources } from '../../kernel/self/snapshot.ts'
import { createQuestionMethods } from '../../sidecar/persona/first-questions.ts'
import { type HomeDatabase, openHomeDatabase } from '../../sidecar/store/home-database.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { given } from '../home/fixtures/backup.ts'
import { newFolder } from '../kit/folder.ts'
import { createWorld, type World } from '../pipeline/world.ts'
import { type MemoryRing, memoryRing } from '../vault/memory-ring.ts'

/** What stands outside of the program: services, skills and jobs that are set up. */
interface Outside {
  services: readonly string[]
  skills: readonly string[]
  jobs: readonly Named[]
}

const service = (name: string): Integration => ({ name, tools: 4, categories: [name], state: 'active' })
const JOBS: readonly Named[] = [
  { name: 'digest', note: 'daily 08.00' },
  { name: 'review', note: 'Mondays' },
]
const SET_UP: Outside = { services: ['notion', 'github', 'google'], skills: ['uptime', 'csv'], jobs: JOBS }
const EMPTY: Outside = { services: [], skills: [], jobs: [] }

interface House {
  readonly keys: MemoryRing
  readonly outside: Outside
  readonly open: () => HomeDatabase
}

function house(outside: Outside): House {
  const folder = given(openStateFolder(newFolder('self')))
  return {
    ...{ outside: { ...outside }, keys: memoryRing(new Uint8Array(randomBytes(32))) },
    open: () => given(openHomeDatabase(folder.file('home.sqlite'))),
  }
}

function sourcesOf({ outside }: House, { notes }: HomeDatabase): Partial<SelfSources> {
  return {
    persona: () => {
      const { name = null, style = null } = notes.read('persona') ?? {}
      return { name: name ?? OWN_NAME, style }
    },
    integrations: () => outside.services.map(service),
    skills: () => outside.skills.map((name) => ({ name, note: '' })),
    jobs: () => outside.jobs,
  }
}

const start = (of: House, database: HomeDatabase): World =>
  createWorld({ disk: { ...database, keys: of.keys }, self: sourcesOf(of, database) })

/** One life of the program. */
async function living(of: House, live: (world: World, database: HomeDatabase) => Promise<void>) {
  const database = of.open()
  try {
    await live(start(of, database), database)
  } finally {
    database.close()
  }
}

const stable = (world: World) => world.prompts.at(-1)?.system ?? ''
const asked = async (world: World, words: string) => {
  await world.say(words)
  return world.heard()
}

test('1: booted with three integrations and two skills, it lists all of them', () =>
  living(house(SET_UP), async (world) => {
    await world.say('hi')
    const { sections } = world.powers.self.current()
    expect(sections).toContainEqual({ kind: 'integrations', items: SET_UP.services.map(service) })
    expect(sections).toContainEqual({
      kind: 'skills',
      items: [
        { name: 'uptime', note: '' },
        { name: 'csv', note: '' },
      ],
    })
    for (const name of [...SET_UP.services, ...SET_UP.skills]) expect(stable(world)).toContain(name)
  }))

test('2: after a restart the model knows services, skills, jobs, persona and what was spoken of', async () => {
  const of = house(SET_UP)
  await living(of, async (world, { notes }) => {
    notes.write('persona', { name: 'Atlas', style: 'dry' })
    await world.say('remember that the flight to Bali leaves on March 15')
  })
  await living(of, async (world) => {
    world.clock.now += 2 * 3_600_000
    const can = await asked(world, 'what can you do?')
    expect(can).toContain('I am Atlas')
    expect(can).toContain('Connected: notion, github, google.')
    expect(can).toContain('Skills: uptime, csv.')
    expect(can).toContain('I do by myself: digest (daily 08.00), review (Mondays).')
    expect(stable(world)).toContain('Your manner, as your owner wishes it: dry')
    expect(await asked(world, 'what were we talking about?')).toContain(
      'the flight to Bali leaves on March 15',
    )
  })
})

test('3: what it can do is what there is, and nothing else', () =>
  living(house({ ...EMPTY, services: ['wiki'] }), async (world) => {
    const can = await asked(world, 'what can you do?')
    expect(can).toContain('Connected: wiki.')
    expect(can).not.toMatch(/notion|github|google|Skills|by myself/)
  }))

test('4: a greeting, which takes the fast path, knows that Notion is connected', () =>
  living(house(SET_UP), async (world) => {
    const task = await world.say('hi')
    expect((await world.shell.report(task))?.task.path).toBe('fast')
    expect(stable(world)).toContain('Connected: notion (4, active)')
  }))

test('5: an integration that comes while they talk is in the next call', () => {
  const of = house({ ...EMPTY, services: ['github'] })
  return living(of, async (world) => {
    expect(await asked(world, 'what can you do?')).toContain('Connected: github.')
    of.outside.services = ['github', 'notion']
    world.powers.self.touch('integration')
    world.clock.now += LEAST_BETWEEN
    expect(await asked(world, 'what can you do?')).toContain('Connected: github, notion.')
  })
})

test('6: a skill that was taken away is no longer offered, nor after a restart', async () => {
  const of = house(SET_UP)
  await living(of, async (world) => {
    expect(await asked(world, 'what can you do?')).toContain('Skills: uptime, csv.')
    of.outside.skills = ['csv']
    world.powers.self.touch('integration')
    world.clock.now += LEAST_BETWEEN
    expect(await asked(world, 'what can you do?')).toContain('Skills: csv.')
  })
  await living(of, async (world) => expect(await asked(world, 'what can you do?')).not.toContain('uptime'))
})

test('7: a fresh install leads to the first questions, and one whose owner was asked does not', async () => {
  const of = house(EMPTY)
  const config = { persona: { name: null, style: null } } as never
  const folder = given(openStateFolder(newFolder('self')))
  const renewed = () => undefined
  await living(of, async (world, database) => {
    await world.say('hi')
    expect(stable(world)).toContain('ask once what you should be called')
    const methods = createQuestionMethods({ config, database, folder, renewed })
    expect(await methods['questions']?.({})).toMatchObject({ value: { persona: true } })
    await methods['questions_done']?.({ how: 'answered', name: 'Atlas', style: 'dry' })
  })
  await living(of, async (world, database) => {
    await world.say('hi')
    expect(stable(world)).not.toContain('ask once what you should be called')
    const methods = createQuestionMethods({ config, database, folder, renewed })
    expect(await methods['questions']?.({})).toMatchObject({ value: { due: false } })
  })
})

test('8: with five integrations, five skills and three jobs it stays below 500 tokens', () => {
  const named = (of: string, count: number) => Array.from({ length: count }, (_, n) => `${of}-service-${n}`)
  const jobs = named('job', 3).map((name) => ({ name, note: 'daily 08.00' }))
  return living(house({ services: named('wide', 5), skills: named('skill', 5), jobs }), async (world) => {
    await world.say('hi')
    const { sections } = world.powers.self.current()
    const { stable: part, volatile } = renderSelf({
      sections,
      audience: 'owner',
      words: world.powers.texts.self,
    })
    expect(stable(world)).toContain(part)
    for (const last of ['wide-service-4', 'skill-service-4', 'job-service-2']) expect(part).toContain(last)
    expect(estimateTokens(part + volatile)).toBeLessThan(500)
  })
})
