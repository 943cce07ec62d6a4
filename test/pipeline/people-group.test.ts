/**
 * Several people, or a group of contacts, are invited in one sentence (B-40): one card that shows each, a code for each, and each taken back by name, by
 * `/undo` or with a no. A group whose people are not known invites nobody.
 */
import { describe, expect, it } from 'vitest'
import { isNamed, peopleNamed } from '../../kernel/features/people/named-people.ts'
import { answer } from './approvals-owner.ts'
import { BOB, EVE, says } from './linked.ts'
import { peopleWorld, statesOf } from './people.ts'
import type { World } from './world.ts'

const CONTACTS = [
  { name: 'Sarah Lee', email: 'sarah@acme.com' },
  { name: 'Tom', email: 'tom@acme.com' },
  { name: 'Mum', email: 'mum@example.org' },
]
const home = (): World => peopleWorld({ pushes: true, contacts: CONTACTS })
const card = ({ sent }: World): string => sent.findLast(({ kind }) => kind === 'card')?.text ?? ''
const codes = (of: World): readonly string[] =>
  of.sent.flatMap(({ text }) => [...text.matchAll(/pair [A-Z\d-]{14}/gi)].map(([code]) => code))

async function asked(of: World, said: string): Promise<void> {
  await of.say(said)
  await of.shell.tick()
}
async function yes(of: World, said = 'yes'): Promise<void> {
  of.clock.now += 1_000
  await of.say(said)
}

describe('whom the words name', () => {
  it.each([
    ['Sarah', ['Sarah']],
    ['Sarah and Tom', ['Sarah', 'Tom']],
    ['Sarah, Tom, and Anna', ['Sarah', 'Tom', 'Anna']],
    ['Sarah und Tom', ['Sarah', 'Tom']],
    ['Anna, anna & Bo', ['anna', 'Bo']],
    ['people from acme.com', ['Sarah Lee (sarah@acme.com)', 'Tom (tom@acme.com)']],
    ['everybody at Acme', ['Sarah Lee (sarah@acme.com)', 'Tom (tom@acme.com)']],
    ['alle Kollegen von @acme.com und Bo', ['Sarah Lee (sarah@acme.com)', 'Tom (tom@acme.com)', 'Bo']],
    ['all my contacts', CONTACTS.map(({ name, email }) => `${name} (${email})`)],
  ])('%s', (said, names) => {
    expect(peopleNamed(said, CONTACTS)).toEqual({ ok: true, value: names })
  })

  it.each([
    ['my book club', ['Cleo (cleo@clubs.example)']],
    ['Bo and the book club', ['Bo', 'Cleo (cleo@clubs.example)']],
  ])('%s: a group of the owner’s own', (said, names) => {
    const cleo = { name: 'Cleo', email: 'cleo@clubs.example', groups: ['book club'] }
    expect(peopleNamed(said, [...CONTACTS, cleo])).toEqual({ ok: true, value: names })
  })

  it.each([
    ['people from work', 'contact_unknown'],
    ['my team', 'contact_unknown'],
    ['meine Kollegen', 'contact_unknown'],
    ['people from com', 'contact_unknown'],
    ['nobody', 'field_malformed'],
    ['Sarah and everybody', 'field_malformed'],
    ['strangers', 'field_malformed'],
    ['a1, b, c, d, e, f, g, h, k, l, m', 'field_malformed'],
    ['', 'field_malformed'],
  ])('%s: nobody', (said, code) => {
    expect(peopleNamed(said, CONTACTS)).toMatchObject({ ok: false, reason: { code } })
  })

  it.each([
    ['Sarah', 'Sarah Lee (sarah@acme.com)', true],
    ['Tom and Sarah', 'Sarah', true],
    ['Lee Tom', 'Sarah Lee (sarah@acme.com)', false],
    ['people from acme.com', 'Tom (tom@acme.com)', true],
    ['people from acme.com', 'Tom', false],
    ['Alice', 'Bob (bob@alice.com)', false],
    ['people from acme', 'Tom (tom@acme.co.uk)', true],
    ['people from acme', 'Eve (eve@acme.evil.example)', false],
    ['people from co', 'Tom (tom@acme.co.uk)', false],
    ['alle von example.org', 'Tom (tom@acme.com)', false],
    ['', 'Tom', false],
  ])('%s means %s: %s', (said, name, is) => {
    expect(isNamed(said, name)).toBe(is)
  })
})

describe('a group', () => {
  it.each([
    ['Sarah and Tom may ask for my free times', ['Sarah', 'Tom']],
    ['people from acme.com may ask for my free times', ['Sarah Lee (sarah@acme.com)', 'Tom (tom@acme.com)']],
    ['Sarah, Tom and Anna may ask when I am free', ['Sarah', 'Tom', 'Anna']],
    ['Sarah und Tom dürfen fragen, wann ich Zeit habe', ['Sarah', 'Tom']],
    [
      'alle von Acme dürfen nach meinen freien Zeiten fragen',
      ['Sarah Lee (sarah@acme.com)', 'Tom (tom@acme.com)'],
    ],
  ])('%s', async (said, names) => {
    const of = home()
    await asked(of, said)
    for (const name of names) expect(card(of)).toContain(`  - ${name}\n`)
    expect(card(of)).toContain('paired_scheduling')
    expect(codes(of)).toHaveLength(names.length)
    for (const code of codes(of)) expect(card(of)).not.toContain(code.slice(5))
    expect(await statesOf(of)).toEqual(names.map(() => 'asked'))
    expect(of.disk.store.pendingApprovals(null)).toHaveLength(1)
  })

  it('is let in by one yes, each by a code of their own, and by nothing before it', async () => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    const [sarah = '', tom = ''] = codes(of)
    await says(of, BOB, sarah)
    expect(await statesOf(of)).toEqual(['asked', 'asked'])
    await yes(of)
    expect(await statesOf(of)).toEqual(['open', 'open'])
    await says(of, BOB, sarah)
    await says(of, EVE, sarah)
    expect(await statesOf(of)).toEqual(['live', 'open'])
    await says(of, EVE, tom)
    expect((await of.shell.people.list()).map(({ name, principal }) => [name, principal])).toEqual([
      ['Sarah', BOB],
      ['Tom', EVE],
    ])
  })

  it('is let in by nothing after a no', async () => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    await yes(of, 'no')
    for (const code of codes(of)) await says(of, BOB, code)
    expect(await statesOf(of)).toEqual(['ended', 'ended'])
  })

  it('that was altered after its card is let in by nothing', async () => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    const kept = of.disk.store.agreements().at(-1)
    if (kept === undefined) throw new Error('none')
    of.disk.store.saveAgreement({ ...kept.agreement, templates: ['other'] }, null)
    await yes(of)
    expect(await statesOf(of)).toEqual(['asked', 'asked'])
  })

  it('without one that was taken back before the yes is the others', async () => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    const [pending] = of.disk.store.pendingApprovals(null)
    await of.say('Tom may no longer ask for my free times')
    expect(await answer(of, pending?.approval.id ?? '', { message: 'later' })).toBe('ok')
    expect(await statesOf(of)).toEqual(['open', 'revoked'])
  })

  it.each([
    ['Tom may no longer ask when I am free', ['open', 'revoked']],
    ['Sarah and Tom may not ask for my free times any more', ['revoked', 'revoked']],
    ['Sarah darf nicht mehr fragen, wann ich Zeit habe', ['revoked', 'open']],
    ['/undo', ['revoked', 'revoked']],
  ])('%s takes back', async (said, states) => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    await yes(of)
    await of.say(said)
    expect(await statesOf(of)).toEqual(states)
    if (said !== '/undo') expect(of.heard()).toContain('Taken back: ')
  })

  it.each([
    ['Tom may no longer ask when I am free', ['open', 'revoked', 'asked'], 1],
    ['Sarah and Tom may not ask for my free times any more', ['revoked', 'revoked', 'asked', 'asked'], 2],
  ])('%s: undo puts the card again, and a yes gives new codes', async (said, states, count) => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    await yes(of)
    await of.say(said)
    await of.say('/undo')
    expect(await statesOf(of)).toEqual(states)
    expect(of.heard().match(/pair [A-Z\d-]{14}/g)).toHaveLength(count)
    expect(of.heard()).toContain('The old codes are gone')
    await of.shell.tick()
    expect(of.disk.store.pendingApprovals(null)).toHaveLength(1)
    await yes(of)
    expect(await statesOf(of)).toEqual(states.map((state) => (state === 'asked' ? 'open' : state)))
  })

  it('of whom more was agreed with one than with another undo offers nothing for all', async () => {
    const of = home()
    await asked(of, 'Sarah and Tom may ask for my free times')
    await yes(of)
    const kept = of.disk.store.agreements().at(-1)
    if (kept === undefined) throw new Error('none')
    of.disk.store.saveAgreement(
      { ...kept.agreement, expiresAt: kept.agreement.expiresAt + 90 * 86_400_000 },
      null,
    )
    await of.say('Sarah and Tom may not ask for my free times any more')
    await of.say('/undo')
    await of.shell.tick()
    expect(await statesOf(of)).toEqual(['revoked', 'revoked'])
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })

  it('a group of the owner’s own is invited by name, and ended by name', async () => {
    const of = home()
    await of.say('add Cleo, cleo@clubs.example, to my contacts')
    await of.say('put Cleo into my book club')
    await asked(of, 'my book club may ask for my free times')
    expect(of.heard()).toContain('Cleo (cleo@clubs.example)')
    await yes(of)
    await of.say('my book club may no longer ask when I am free')
    expect(await statesOf(of)).toEqual(['revoked'])
  })

  it.each(['people from work may ask for my free times', 'my team may ask when I am free'])(
    '%s: invites nobody and says how to name them',
    async (said) => {
      const of = home()
      await asked(of, said)
      expect(of.heard()).toContain('people from example.com may ask when I am free')
      expect([await of.shell.people.list(), of.disk.store.pendingApprovals(null)]).toEqual([[], []])
    },
  )

  it('of nobody who was invited is no such wish, and switches nothing off', async () => {
    const of = home()
    await of.say('Kim may no longer ask when I am free')
    expect(of.heard()).toContain('no kind of request of that name')
  })
})
