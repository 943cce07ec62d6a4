/**
 * What a link lets two principals read of each other (F-15, F-16, E-21, invariant 7): their words, as far as
 * the chat may show them, with label and taint as they are; nothing is written across, nobody is raised, and
 * unlinking ends it.
 */
import { describe, expect, it } from 'vitest'
import { recallMemory } from '../../kernel/features/memory/memory.ts'
import { sessionsOf, stillReadable } from '../../kernel/model-call/read-through.ts'
import type { Agreement } from '../../kernel/task/agreement.ts'
import { answer, auditedAs, OWNER, TOOLS } from './approvals-owner.ts'
import { BOB, CHATS, EVE, linked, linkWorld, proven, says, U1 } from './linked.ts'
import type { World } from './world.ts'

const WORD = 'the word is heron'
const ELSEWHERE = `person (in another chat): ${WORD}`

/** What a writer was shown of the conversation at the last message. */
function shown(world: World): readonly string[] {
  return world.prompts.findLast(({ parts }) => parts.purpose === 'synthesize')?.parts.history ?? []
}

function planned(world: World): string {
  return JSON.stringify(world.prompts.findLast(({ parts }) => parts.purpose === 'plan')?.parts ?? null)
}

describe('two that are linked', () => {
  it('read each other’s words, until they are no longer linked', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    expect(await says(world, U1, 'what is the word?')).not.toContain('heron')
    const link = await linked(world)
    const heard = await says(world, U1, 'what is the word?')
    expect(heard).toContain(ELSEWHERE)
    expect(world.sent.at(-1)).toMatchObject({ sink: CHATS[U1], label: 'internal', kind: 'answer' })
    expect(await says(world, BOB, 'and here?')).toContain('person (in another chat): what is the word?')
    await world.shell.identities.remove(link, OWNER)
    const after = await says(world, U1, 'what was the word?')
    expect(after).toContain('what was the word?')
    expect(after).not.toContain('heron')
    expect(await says(world, BOB, 'and now?')).not.toContain('what is the word')
  })

  it('read nothing while only one or both of them have proved it', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    const { link } = await proven(world)
    expect(await says(world, U1, 'what is the word?')).not.toContain('heron')
    await answer(world, `${link}l`, { decision: 'deny' })
    expect(await says(world, U1, 'what is the word?')).not.toContain('heron')
  })

  it('keep their sessions apart: nothing is written across, and rows stay as they were', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    const { store } = world.disk
    const rowsOf = (principal: string) =>
      JSON.stringify([
        store.recentTurns(principal, 50),
        store.workingMemory(principal, 50),
        store.recentTasks(principal, 50),
      ])
    await linked(world)
    const before = rowsOf(BOB)
    await says(world, U1, 'what is the word?')
    expect(shown(world)).toContain(ELSEWHERE)
    expect(rowsOf(BOB)).toBe(before)
    const [turn] = store.recentTurns(BOB, 1)
    expect(turn?.words).toMatchObject({
      label: { atoms: [{ origin: 'chat:sink:telegram:bob', level: 'internal' }] },
      taint: { level: 'raw' },
    })
    expect(store.recentTurns(U1, 50).every(({ principal }) => principal === U1)).toBe(true)
  })

  it('carry the taint of what they read into the answer', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    await linked(world, OWNER, BOB)
    const clean = linkWorld()
    for (const one of [world, clean]) await one.say('please do the thing')
    const taints = await Promise.all(
      [world, clean].map(async (one) => {
        const [task] = one.disk.store.recentTasks(OWNER, 1)
        return (await one.shell.report(task?.id ?? ''))?.task.taint
      }),
    )
    expect(taints).toEqual(['raw', 'clean'])
  })

  it('do not plan with each other’s words', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    await linked(world, OWNER, BOB)
    await world.say('what is the word, please?')
    expect(shown(world)).toContain(ELSEWHERE)
    expect(planned(world)).not.toContain('heron')
    await world.say('keep the kettle on')
    await says(world, BOB, 'what is on?')
    expect(planned(world)).not.toContain('kettle')
  })

  it('lead to no third: a friend’s friend reads nothing, not even from an answer that quotes', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    await linked(world, BOB, U1)
    await linked(world, U1, EVE)
    expect(await says(world, U1, 'what is the word?')).toContain('heron')
    const heard = await says(world, EVE, 'what is the word?')
    expect(heard).toContain('person (in another chat): what is the word?')
    expect(heard).not.toContain('heron')
  })
})

describe('a chat that is linked with the owner', () => {
  it('never shows what was said on the private line', async () => {
    const world = linkWorld({ tools: TOOLS })
    await world.say('remember that the door code is lantern-4711')
    await world.say('check my mail')
    await world.say('the secret word is kestrel')
    await linked(world, OWNER, BOB)
    const heard = await says(world, BOB, 'what did you hear?')
    expect(heard).toContain('what did you hear?')
    expect(JSON.stringify([shown(world), planned(world), heard])).not.toMatch(
      /lantern-4711|kestrel|secret|Invoice|Sarah/,
    )
    expect(auditedAs(world, 'denial').filter(({ code }) => code === 'write_down')).toEqual([])
  })

  it('is read by the owner, and only there', async () => {
    const world = linkWorld()
    await says(world, BOB, WORD)
    await linked(world, OWNER, BOB)
    await world.say('what is the word, please?')
    expect(world.heard()).toContain(ELSEWHERE)
    expect(await says(world, EVE, 'what is the word?')).not.toContain('heron')
  })

  it('does not become a chat of the owner: its writer stays a third party, without the tools of the owner', async () => {
    const world = linkWorld({ tools: TOOLS })
    await linked(world, OWNER, BOB)
    await says(world, BOB, 'check my mail')
    const [task] = world.disk.store.recentTasks(BOB, 1)
    expect(task).toMatchObject({ template: 'scheduling', principal: BOB, ceiling: { level: 'internal' } })
    expect(world.calls).toEqual([])
    expect(await world.ports.approvals.list(BOB)).toEqual([])
  })
})

describe('the class of two', () => {
  const templates = [
    {
      template_id: 'friends',
      triggers: ['adapter:telegram:message:paired', 'adapter:slack:message:paired'],
      principal_class: 'paired',
      description: 'What friends may ask',
      planner_task_description: 'A friend asks.',
      allowed_tools: ['message.reply'],
      denied_tools: [],
      max_tool_calls: 2,
      max_tokens_plan: 1000,
      max_tokens_synthesize: 1000,
      output_sinks: ['reply_to_sender'],
      data_ceiling: 'internal',
      inference: { provider: 'local' },
    },
  ]
  const FRIENDS: Agreement = {
    ...{ id: 'a'.repeat(24), templates: ['friends'], code: '0'.repeat(64), state: 'live' },
    ...{ principal: U1, sink: CHATS[U1] ?? '', told: true },
    ...{ createdAt: 0, openUntil: 0, expiresAt: Number.MAX_SAFE_INTEGER },
  }
  const templateOf = (world: World, principal: string) =>
    world.disk.store.recentTasks(principal, 1)[0]?.template

  it('is the lower one for both while they are linked, and never the higher', async () => {
    const world = linkWorld({ templates })
    world.disk.store.saveAgreement(FRIENDS, null)
    for (const one of [BOB, U1]) await says(world, one, 'hello')
    expect([BOB, U1].map((one) => templateOf(world, one))).toEqual(['scheduling', 'friends'])
    const link = await linked(world)
    for (const one of [BOB, U1]) await says(world, one, 'hello')
    expect([BOB, U1].map((one) => templateOf(world, one))).toEqual(['scheduling', 'scheduling'])
    expect(world.shell.identities.list()[0]?.ends.map((end) => end.class)).toEqual([
      'third_party',
      'third_party',
    ])
    await world.shell.identities.remove(link, OWNER)
    await says(world, U1, 'hello')
    expect(templateOf(world, U1)).toBe('friends')
  })
})

describe('what a running task was given through a link', () => {
  /** Bob has asked for free times under a grant; the record of it is in Bob's working memory. */
  async function remembered(): Promise<{ readonly world: World; readonly link: string }> {
    const world = linkWorld({
      tools: TOOLS,
      plan: JSON.stringify({
        steps: [
          {
            ...{ id: 's1', do: 'tool', tool: 'calendar.freebusy' },
            args: { from: '2026-11-27T09:00:00Z', to: '2026-11-27T18:00:00Z' },
          },
        ],
        explanation: '',
      }),
    })
    const put = await world.ports.grants.allow(
      { principal: OWNER, place: 'home', message: 'g1' },
      {
        ...{ template: 'scheduling', action: 'calendar.freebusy' },
        fields: ['slots[].busy', 'slots[].from', 'slots[].to'],
        ...{ daysAhead: 14, days: 30, perDay: 20 },
      },
    )
    if (!put.ok) throw new Error(put.reason.code)
    await answer(world, put.value.approval, { message: 'g2' })
    await says(world, BOB, 'when is he free?')
    expect(world.disk.store.workingMemory(BOB, 5)).toHaveLength(1)
    return { world, link: await linked(world, OWNER, BOB) }
  }

  it('is its memory, after what is its own', async () => {
    const { world } = await remembered()
    await world.say('am I free on Friday?')
    const [task] = world.disk.store.recentTasks(OWNER, 1)
    if (task === undefined) throw new Error('no task')
    const memory = recallMemory(world.powers, task)
    const owners = Object.values(memory).map(({ id }) => world.disk.store.getSealed(id)?.principal)
    expect(owners).toEqual([OWNER, BOB])
    expect(Object.values(memory).map(({ label }) => label.atoms.map(({ origin }) => origin))).toMatchObject(
      Array(2).fill(expect.arrayContaining(['tool:calendar.freebusy'])),
    )
  })

  it('is not there for a task of a lower ceiling', async () => {
    const { world } = await remembered()
    await says(world, BOB, 'hello again')
    const [task] = world.disk.store.recentTasks(OWNER, 1)
    const [theirs] = world.disk.store.workingMemory(BOB, 1)
    if (task === undefined || theirs === undefined) throw new Error('no task')
    const mays = (['sensitive', 'public'] as const).map((level) =>
      sessionsOf(world.powers, { ...task, ceiling: { level, compartments: [] } })
        .at(-1)
        ?.may(theirs.ref.label),
    )
    expect(mays).toEqual([true, false])
  })

  it('is gone from the next step when the link ends in the middle', async () => {
    const { world, link } = await remembered()
    const steps = [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.freebusy' },
        args: { from: '2026-11-27T09:00:00Z', to: '2026-11-27T18:00:00Z' },
      },
      { id: 's2', do: 'compose', from: ['w1.slots'], instruction: 'say when', maxChars: 200 },
    ]
    const read = async (unlinks: boolean): Promise<string> => {
      const freebusy = async (args: Readonly<Record<string, unknown>>) => {
        if (unlinks) await running.shell.identities.remove(link, OWNER)
        return (
          TOOLS['calendar.freebusy']?.(args) ?? {
            ok: false as const,
            reason: { code: 'tool_failed' as const, facts: {} },
          }
        )
      }
      const plan = JSON.stringify({ steps, explanation: '' })
      const running = linkWorld({ disk: world.disk, plan, tools: { 'calendar.freebusy': freebusy } })
      const id = await running.say('please do the unusual thing')
      // What this one leaves must not be what the next refers to.
      for (const { ref } of world.disk.store.workingMemory(OWNER, 5))
        world.disk.store.dropMemory(OWNER, ref.id)
      return (await running.shell.report(id))?.task.steps.map(({ outcome }) => outcome).join() ?? ''
    }
    expect([await read(false), await read(true)]).toEqual(['done,done', 'done,failed'])
  })

  it('is gone from it the moment that the link is', async () => {
    const { world, link } = await remembered()
    await world.say('am I free on Friday?')
    const [task] = world.disk.store.recentTasks(OWNER, 1)
    if (task === undefined) throw new Error('no task')
    const running = { ...task, memory: recallMemory(world.powers, task) }
    expect(Object.keys(stillReadable(world.powers, running))).toEqual(['w1', 'w2'])
    await world.shell.identities.remove(link, OWNER)
    expect(Object.keys(stillReadable(world.powers, running))).toEqual(['w1'])
    expect(sessionsOf(world.powers, running).map(({ principal }) => principal)).toEqual([OWNER])
  })
})
