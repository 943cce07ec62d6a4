/**
 * Kinds of request of other people are switched off at once by words, and on again by a card (L-03): nobody else is answered under one, what runs under
 * one ends, the edge is told, and nobody but the owner switches any.
 */
import { describe, expect, it } from 'vitest'
import { templatesOff } from '../../kernel/features/templates/off.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { syncedPeople } from '../../kernel/tunnel/synced.ts'
import { createDisk, createWorld, type Disk, message, type World } from './world.ts'

const home = (disk: Disk = createDisk()): World => createWorld({ disk, pushes: true, tools: {} })

async function yes(of: World): Promise<void> {
  await of.shell.tick()
  of.clock.now += 1_000
  await of.say('yes')
}

const STRANGER = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
const ask = (of: World, id: string, source: object = STRANGER) =>
  of.shell.receive({ ...message('When is Ada free on Monday?', { id }), source })

describe('off', () => {
  it.each([
    ['turn off the scheduling template', 'scheduling'],
    ['switch the paired scheduling template off for now', 'paired_scheduling'],
    ['deactivate the whatsapp_scheduling template', 'whatsapp_scheduling'],
    ['Schalt die Scheduling-Vorlage ab', 'scheduling'],
    ['strangers may not ask anything any more', 'scheduling,whatsapp_scheduling'],
    ['friends can no longer ask when I am free', 'paired_scheduling'],
    ['nobody may ask for my free times any more', 'paired_scheduling,scheduling,whatsapp_scheduling'],
    ['nobody may ask you anything', 'paired_scheduling,scheduling,whatsapp_scheduling'],
    [
      'Niemand darf mehr nach meinen freien Zeiten fragen',
      'paired_scheduling,scheduling,whatsapp_scheduling',
    ],
    ['Fremde dürfen nichts mehr fragen', 'scheduling,whatsapp_scheduling'],
    ['/templates off strangers', 'scheduling,whatsapp_scheduling'],
  ])('"%s"', async (said, off) => {
    const of = home()
    await of.say(said)
    expect(of.heard()).toContain('Switched off')
    expect(templatesOff(of.disk).join(',')).toBe(off)
  })

  it.each([
    ['turn off the owner_private template', 'how you ask me yourself'],
    ['turn off the job_morning_briefing template', 'stop the morning briefing'],
    ['turn off the chess template', 'no kind of request of that name'],
  ])('"%s" switches nothing and says why', async (said, says) => {
    const of = home()
    await of.say(said)
    expect(of.heard()).toContain(says)
    expect(templatesOff(of.disk)).toEqual([])
  })

  it.each(['turn off the lights', 'nobody may know this', 'may nobody ask?'])(
    '"%s" is no such wish',
    async (said) => {
      const of = home()
      await of.say(said)
      expect(templatesOff(of.disk)).toEqual([])
    },
  )

  it('twice says that it is off already', async () => {
    const of = home()
    await of.say('turn off the scheduling template')
    await of.say('turn off the scheduling template')
    expect(of.heard()).toContain('switched off already')
  })

  it('no stranger starts a task, over a restart as well, and each does before', async () => {
    const disk = createDisk()
    const of = home(disk)
    expect((await ask(of, 'before')).ok).toBe(true)
    await of.say('turn off the scheduling template')
    expect(await ask(of, 'after')).toMatchObject({ ok: false, reason: { code: 'template_none_matches' } })
    expect(await ask(home(disk), 'later')).toMatchObject({
      ok: false,
      reason: { code: 'template_none_matches' },
    })
  })

  it('a task that waits under it takes no further step, and its asker hears nothing', async () => {
    const of = home()
    const received = await ask(of, 'waiting')
    await of.say('turn off the scheduling template')
    const sent = of.sent.length
    if (received.ok) await of.shell.run(received.value.principal)
    expect(of.calls).toEqual([])
    expect(of.sent.slice(sent)).toEqual([])
    expect(received.ok && of.disk.store.loadTask(received.value.task)?.state.at).toBe('failed')
  })

  it('nobody is invited to it, and no grant is asked for it', async () => {
    const of = home()
    await of.say('nobody may ask you anything')
    await of.say('/people invite --name Sarah')
    expect(of.heard()).toContain('turn on')
    await of.say('tell strangers when I am free')
    expect(of.heard()).toContain('turn on')
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })

  it('the edge is told of a person without it, who stays known there', () => {
    const agreement = {
      ...{
        id: 'a',
        state: 'live',
        principal: 'principal:telegram_peer:1',
        sink: 'sink:telegram:1',
        at: 'edge',
      },
      ...{ templates: ['club', 'paired_scheduling'], code: '', createdAt: 0, openUntil: 9, expiresAt: 99 },
    }
    const told = syncedPeople([agreement as never], { now: 1, off: ['paired_scheduling'] })
    expect(told).toMatchObject([{ principal: agreement.principal, templates: ['club'] }])
  })
})

describe('on again', () => {
  it.each([
    'turn on the scheduling template',
    'switch the scheduling template back on',
    'people may ask for my free times again',
    'strangers may ask again',
    'schalt die Scheduling-Vorlage wieder ein',
    'Fremde dürfen wieder fragen',
  ])('"%s" asks by a card, and nothing is on before the yes', async (said) => {
    const of = home()
    await of.say('turn off the scheduling template')
    await of.say(said)
    expect(templatesOff(of.disk)).toEqual(['scheduling'])
    await yes(of)
    expect(templatesOff(of.disk)).toEqual([])
    expect((await ask(of, 'again')).ok).toBe(true)
  })

  it('a no leaves it off', async () => {
    const of = home()
    await of.say('turn off the scheduling template')
    await of.say('turn on the scheduling template')
    await of.shell.tick()
    await of.say('no')
    expect(templatesOff(of.disk)).toEqual(['scheduling'])
  })

  it('what is on says so and asks nothing', async () => {
    const of = home()
    await of.say('turn on the scheduling template')
    expect(of.heard()).toContain('nothing was switched off')
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })

  it('undo of off puts the card; undo of on switches off at once; the audit has before and after', async () => {
    const of = home()
    await of.say('strangers may not ask anything')
    await of.say('/undo')
    expect(templatesOff(of.disk)).toEqual(['scheduling', 'whatsapp_scheduling'])
    await yes(of)
    expect(templatesOff(of.disk)).toEqual([])
    await of.say('/undo')
    expect(templatesOff(of.disk)).toEqual(['scheduling', 'whatsapp_scheduling'])
    const both = 'scheduling,whatsapp_scheduling'
    const rows = of.audited.filter(({ facts }) => String(facts['operation']).startsWith('templates.'))
    expect(rows.map(({ facts }) => facts)).toMatchObject([
      { operation: 'templates.off', by: OWNER_PRINCIPAL, before_off: '', after_off: both, undo_which: both },
      { operation: 'templates.on' },
      { operation: 'templates.on', before_off: both, after_off: '', undo: 'templates.off', undo_which: both },
      { operation: 'templates.off' },
    ])
  })
})

describe('what others may ask', () => {
  it.each([
    [
      'what may strangers ask?',
      ['Strangers:', 'from people who write to the owner'],
      ['paired with', 'You:'],
    ],
    [
      'what can friends ask you?',
      ['Find a time with people whom the owner is paired with'],
      ['Strangers:', 'You:'],
    ],
    ['was dürfen Fremde fragen?', ['from people who write to the owner'], ['paired with']],
    ['what may people from work ask?', ['no kind of request, of that name', 'Strangers:'], ['owner_private']],
    ['who may ask for what', ['You:', 'Strangers:'], ['of that name', 'owner_private']],
  ])('"%s"', async (said, says, not) => {
    const of = home()
    await of.say(said)
    for (const one of says) expect(of.heard()).toContain(one)
    for (const one of not) expect(of.heard()).not.toContain(one)
  })

  it('what is off is said to be', async () => {
    const of = home()
    await of.say('turn off the scheduling template')
    await of.say('what may strangers ask?')
    expect(of.heard()).toMatch(/ scheduling .*Switched off/)
  })
})

it.each([
  ['a stranger', { source: STRANGER }],
  ['the owner in a group', { source: { adapter: 'terminal', user: 'local', chat: 'club', group: true } }],
  [
    'a job',
    { source: { adapter: 'cron', user: 'daily', chat: 'owner', group: false }, kind: 'cron_trigger' },
  ],
])('%s switches none', async (_, more) => {
  const of = home()
  await of.say('turn off the paired_scheduling template')
  for (const [n, text] of [
    'turn off the scheduling template',
    'turn on the paired_scheduling template',
  ].entries()) {
    const received = await of.shell.receive({ ...message(text, { id: `x${n}` }), ...more })
    if (received.ok) await of.shell.run(received.value.principal)
  }
  expect(templatesOff(of.disk)).toEqual(['paired_scheduling'])
  expect(of.disk.store.pendingApprovals(null)).toEqual([])
})
