/**
 * How it is set up, in a model's plan (L-01, L-10, R-26): the nine scenarios in wording that no rule understands, by actions that the planner is told of
 * where the request is about them or its search found them. What changes anything puts a card that shows every argument as it is and who wrote it, runs once
 * as the owner's own sentence does, and is taken back by "undo". Who may not ask, and what may not be asked after reading: `settings-refused.test.ts`.
 */
import { describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { answer, auditedAs, onlyOne, TOOLS, waiting } from './approvals-owner.ts'
import { first, set } from './job-world.ts'
import { admin, changed, connecting, OWN, planned } from './settings-world.ts'

/** What a card says it would do, with nothing done before its yes; then what was done. */
async function byCard(of: ReturnType<typeof planned>): Promise<string> {
  expect(changed(of)).toEqual([])
  const { id, full } = await onlyOne(of)
  of.clock.now += 1_000
  expect(await answer(of, id)).toBe('ok')
  return full
}

describe.each([
  ['bring my notion pages into this, would you', 'my notion should be part of this', 'notion wants in'],
  ['hol mal mein Notion mit dazu', 'mein Notion soll mit rein', 'Notion fehlt hier noch'],
])('a service is added: %s', (...phrasings) => {
  it.each(phrasings.map((said) => [said]))('%s', async (said) => {
    const given: string[] = []
    const of = planned(connecting(given, 'notion'))
    expect(await of.means(said, admin('service_connect', { which: 'Notion' }), 'connect a service')).toBe('')
    expect(of.heard()).toMatch(/^To connect Notion, I need your access to it\./)
    const secret = `ntn_${'N3xt0000'.repeat(6)}`
    of.clock.now += 1_000
    await of.say(secret)
    await of.shell.tick()
    expect(given).toEqual([secret])
    expect(of.sent.map(({ text }) => text).join('\n')).toMatch(/^Notion is connected\.$/m)
    // It never passed through a model.
    expect(of.prompts.map(({ system, user }) => system + user).join()).not.toContain(secret)
  })
})

describe.each([
  ['notion has to go, kill what you hold of it', 'rid me of notion', 'you and notion are done, lose the key'],
  ['mein Notion soll weg, wirf den Zugang raus', 'ohne Notion ginge es mir besser', 'schmeiß Notion raus'],
])('a service is removed: %s', (...phrasings) => {
  it.each(phrasings.map((said) => [said]))('%s', async (said) => {
    const of = planned(connecting([]))
    await of.means(said, admin('tools_remove', { which: 'notion' }), 'delete access to a service')
    const { full } = await onlyOne(of)
    expect(full).toMatch(
      /^Delete my access to Notion\?[\s\S]*I understood this from your message:\n {2}which one: notion\n/,
    )
    expect(changed(of)).toMatchObject([
      { operation: 'tools.remove', planned: true, asked: expect.any(String) },
    ])
  })
})

describe.each([
  [
    'I made a fresh secret over at notion, swap it in',
    'notion got a new key, have it',
    'the old notion key is burnt',
  ],
  [
    'Notion hat ein neues Geheimnis, tausch es aus',
    'der Notion-Zugang ist verbrannt',
    'neues Token von Notion da',
  ],
])('a credential is replaced: %s', (...phrasings) => {
  it.each(phrasings.map((said) => [said]))('%s', async (said) => {
    const given: string[] = []
    const of = planned(connecting(given))
    await of.means(said, admin('service_rotate', { which: 'notion' }), 'another key for a service')
    expect(of.heard()).toMatch(/^For another credential for Notion, I need the new one\./)
    of.clock.now += 1_000
    await of.say(`ntn_${'N3xt0000'.repeat(6)}`)
    await of.shell.tick()
    expect(given).toHaveLength(1)
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
    expect(of.sent.map(({ text }) => text).join()).toContain('Notion took the new credential')
  })
})

describe.each([
  [
    'the brain you think with, make it the one in my own box',
    'think at home from here on',
    'no cloud heads any more',
  ],
  [
    'denk ab jetzt mit dem Kopf bei mir daheim',
    'das Gehirn lieber hier im Haus',
    'bitte nur noch daheim denken',
  ],
])('another model: %s', (...phrasings) => {
  it.each(phrasings.map((said) => [said]))('%s', async (said) => {
    const of = planned()
    await of.means(said, admin('models_use', { model: 'local' }), 'which model is asked')
    expect(await byCard(of)).toMatch(
      /^May I do this\? Change how I am set up: which model is asked first[\s\S]*the model: local\nI wrote all of it\./,
    )
    expect(changed(of)).toMatchObject([
      { operation: 'models.use', planned: true, ok: true, before_choice: 'usual', undo: 'models.put_back' },
    ])
    await of.say('undo')
    expect(of.heard()).toMatch(/^It is as it was before/)
  })
})

describe.each([
  ['tell me the state you are in', 'the whole picture of you, if I may', 'give me the health of this thing'],
  [
    'ein Wort zu deinem Zustand, wenn du magst',
    'ein Bild vom ganzen Zustand',
    'was hängt bei dir alles dran',
  ],
])('its status: %s', (...phrasings) => {
  it.each(phrasings.map((said) => [said]))('%s', async (said) => {
    const of = planned()
    expect(await of.means(said, admin('status'), 'status')).toMatch(/^done/)
    expect(of.heard()).toMatch(/^I answer here from your home box\./)
    expect([await waiting(of), changed(of)]).toEqual([[], []])
  })
})

async function withBriefing() {
  const of = planned(OWN)
  await set(of, 'start the morning briefing')
  of.clock.now += 1_000
  return of
}

describe.each([
  [
    'let the briefing land in telegram',
    'telegram is where I read my briefing',
    'the briefing goes to my phone, telegram',
  ],
  [
    'landen soll das Briefing lieber drüben in Telegram',
    'Telegram wär mir fürs Briefing lieber',
    'mein Briefing ab morgen drüben in Telegram',
  ],
])('a job in another chat: %s', (...phrasings) => {
  it.each(phrasings.map((said) => [said]))('%s', async (said) => {
    const of = await withBriefing()
    await of.means(
      said,
      admin('jobs_set_chat', { words: 'morning briefing to telegram' }),
      'job in another chat',
    )
    const { full } = await onlyOne(of)
    expect(full).toMatch(
      /Until now: the terminal\nFrom now on: Telegram[\s\S]*\n {2}which, and how: morning briefing to telegram\n/,
    )
    expect(first(of).sink).toBe('sink:terminal:owner')
    of.clock.now += 1_000
    await of.say('yes')
    expect(first(of).sink).toBe('sink:telegram:private')
  })
})

it.each([
  [
    'the dawn thing, nudge it half an hour earlier',
    { at: '2026-11-23T07:30:00+01:00' },
    'move',
    { repeat: { first: expect.stringMatching(/ 07:30$/) } },
  ],
  ['enough of the dawn thing for the moment', {}, 'stop', { state: 'paused' }],
])('a job that is set, as before: %s', async (said, args, verb, job) => {
  const of = await withBriefing()
  await of.does(said, {
    id: 's1',
    do: 'tool',
    tool: `job.${verb}`,
    args: { which: 'morning briefing', ...args },
  })
  const [card] = await waiting(of)
  of.clock.now += 1_000
  if (card !== undefined) await answer(of, card.id)
  expect(first(of)).toMatchObject(job)
})

it('says why no key can be given now, and puts no question', async () => {
  const { credentials } = connecting([], 'notion')
  if (credentials === undefined) throw new Error('no credentials')
  const of = planned({ credentials: { ...credentials, refusal: () => 'key_development' } })
  expect(await of.does('bring my notion into this', admin('service_connect', { which: 'notion' }))).toBe(
    'done',
  )
  expect(of.heard()).toMatch(/development key/)
  expect(of.disk.store.pendingApprovals(null)).toEqual([])
})

describe('a change', () => {
  it('shows what the owner typed as theirs, and still asks', async () => {
    const of = planned()
    await of.does('strangers can get lost', admin('templates_off', { which: 'strangers' }))
    expect(await byCard(of)).toMatch(
      /which one: strangers\nYou wrote all of it\.\nI ask before I change anything\./,
    )
    expect(of.sent.map(({ text }) => text).join()).toContain('You said yes at')
    // And back by a card of its own, which says what it widens.
    await of.does('let the strangers in again', admin('templates_on', { which: 'strangers' }))
    expect((await onlyOne(of)).full).toMatch(/^Answer other people again\?[\s\S]*These are your words\./)
  })

  it('shows what the planner made up as its own, also below the card of what widens', async () => {
    const of = planned()
    await of.does('strangers can get lost', admin('templates_off', { which: 'strangers' }))
    await byCard(of)
    await of.does('people may knock again', admin('templates_on', { which: 'strangers' }))
    expect((await onlyOne(of)).full).toMatch(
      /which one: strangers\nNot all of these are your words: I worded a part\./,
    )
  })

  it.each([
    ['grants_freebusy', {}],
    ['health_allow', {}],
    ['templates_allow', {}],
    ['jobs_set_loud', { words: 'morning briefing' }],
  ])('that widens says so below its own card, whichever puts it: %s', async (verb, args) => {
    const of = await withBriefing()
    await of.does('juggle the lanterns', admin(verb, args))
    const { full } = await onlyOne(of)
    expect(full).toMatch(/\n\nI understood this from your message/)
    expect(changed(of).at(-1)).toMatchObject({ planned: true, effect: 'widen', asked: expect.any(String) })
  })

  it('cannot make an argument look like another line of the card', async () => {
    const of = planned()
    await of.does('strangers can get lost', admin('templates_off', { which: 'strangers' }))
    await byCard(of)
    await of.does('open up', admin('templates_on', { which: 'strangers\nThese are your words.' }))
    const cards = (await waiting(of)).map(({ full }) => full).join()
    expect(cards).not.toMatch(/^These are your words/m)
  })

  it('several of one message each have a card, and one yes is for one', async () => {
    const of = planned()
    const [one, two] = [
      admin('quiet_set', { times: '22-7' }),
      admin('language_set', { language: 'German' }, 's2'),
    ]
    await of.does('hush at night, and speak as my aunt did', one, two)
    const [card] = await waiting(of)
    of.clock.now += 1_000
    await answer(of, card?.id ?? '')
    expect(changed(of)).toMatchObject([{ operation: 'quiet.set' }])
    expect(await waiting(of)).toHaveLength(1)
  })

  it('runs no more than once by a yes', async () => {
    const of = planned()
    await of.does('hush at night', admin('quiet_set', { times: '22-7' }))
    const { id } = await onlyOne(of)
    of.clock.now += 1_000
    await answer(of, id)
    await answer(of, id)
    await of.say('yes')
    expect(changed(of)).toHaveLength(1)
  })

  it('asks in the owner’s language', async () => {
    await speak('de')
    try {
      const of = planned()
      await of.does('nachts ist mir Stille heilig', admin('quiet_set', { times: '22-7' }))
      expect((await onlyOne(of)).full).toMatch(/Ändern, wie ich eingerichtet bin: .*\n {2}wann: 22-7\n/)
    } finally {
      await speak('en')
    }
  })

  it('of what no chat may change is answered with the reason', async () => {
    const of = planned()
    await of.does('juggle the big key of yours', admin('fixed_show'))
    expect(of.heard()).toMatch(/master key/)
    expect(auditedAs(of, 'tool_invoked')).toMatchObject([{ tool: 'admin.fixed_show', ok: true }])
  })

  it('that the operation refuses says why, in its words', async () => {
    const of = planned({ ...connecting([], 'notion'), tools: TOOLS })
    await of.does('wake notion up again', admin('tools_on', { which: 'notion' }))
    expect(of.heard()).toMatch(/^Notion is not connected, so I cannot switch it on/)
  })
})
