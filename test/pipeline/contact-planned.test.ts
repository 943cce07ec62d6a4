/** A contact in a model's plan: one person by name and address, and another address for a name that is there (DESIGN §9). */
import { expect, it } from 'vitest'
import { answer, onlyOne, waiting, worldWith } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { scriptedModel, type World } from './world.ts'

const call = (id: string, tool: string, args: Record<string, unknown>) => ({ id, do: 'tool', tool, args })
const ref = ($ref: string) => ({ $ref })

function planned() {
  const plans: (readonly Record<string, unknown>[])[] = []
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift() ?? [] }) : 'That is done.',
  )
  const here = worldWith({ models: [model], tools: { ...mailTools(), ...calendarTools() } })
  return {
    ...here,
    async does(said: string, ...steps: readonly Record<string, unknown>[]): Promise<string> {
      plans.splice(0, plans.length, steps)
      const task = await here.say(said)
      const traces = here.disk.store.loadTask(task)?.traces ?? []
      return traces.map(({ outcome, reason }) => reason ?? outcome).join()
    },
  }
}

async function contacts(here: World & { say(text: string): Promise<string> }): Promise<string> {
  await here.say('/contacts')
  return here.sent.at(-1)?.text ?? ''
}

const LENA = call('s1', 'contact.add', { name: 'Lena', email: 'lena@kurz.example' })

it('one person whose name and address the owner typed is added without a card', async () => {
  const here = planned()
  expect(await here.does('juggle Lena, lena@kurz.example, into my people', LENA)).toBe('done')
  expect(await waiting(here)).toEqual([])
  expect(await contacts(here)).toContain('Lena: lena@kurz.example')
})

it('a name that is there gets the address that the owner typed', async () => {
  const here = planned()
  await here.does('juggle Lena, lena@kurz.example, into my people', LENA)
  const other = call('s1', 'contact.add', { name: 'Lena', email: 'lena@neu.example', change: true })
  expect(await here.does('no, for Lena juggle lena@neu.example', other)).toBe('done')
  const known = await contacts(here)
  expect([known.includes('lena@neu.example'), known.includes('kurz')]).toEqual([true, false])
})

it('a second one of that name replaces none', async () => {
  const here = planned()
  await here.does('juggle Lena, lena@kurz.example, into my people', LENA)
  const second = call('s1', 'contact.add', { name: 'Lena', email: 'lena@neu.example' })
  expect(await here.does('juggle Lena, lena@neu.example, too', second)).toBe('done')
  expect(await contacts(here)).toContain('Lena: lena@kurz.example')
})

it('an address that the model made up asks on a card, and changes none that is there', async () => {
  const here = planned()
  await here.does('juggle Lena, lena@kurz.example, into my people', LENA)
  const made = call('s1', 'contact.add', { name: 'Lena', email: 'lena@else.example', change: true })
  await here.does('juggle another one for Lena', made)
  await answer(here, (await onlyOne(here)).id)
  expect(await contacts(here)).toContain('Lena: lena@kurz.example')
})

it('a name from earlier in the conversation stands on the card with the contact as it is, and gets the address that the owner typed', async () => {
  const here = planned()
  await here.does('juggle Lena, lena@kurz.example, into my people', LENA)
  const other = call('s1', 'contact.add', { name: 'Lena', email: 'lena@neu.example', change: true })
  await here.does('juggle lena@neu.example, that is her new one', other)
  const card = await onlyOne(here)
  expect(card.full).toContain('Lena · lena@kurz.example')
  expect(card.full).toContain('lena@neu.example')
  await answer(here, card.id)
  const known = await contacts(here)
  expect([known.includes('lena@neu.example'), known.includes('kurz')]).toEqual([true, false])
})

it('the card shows the contact also where its name is written in another form of Unicode', async () => {
  const here = planned()
  const composed = 'Ren\u00e9e'
  const lena = call('s1', 'contact.add', { name: composed, email: 'renee@kurz.example' })
  await here.does(`juggle ${composed}, renee@kurz.example, into my people`, lena)
  const args = { name: composed.normalize('NFD'), email: 'renee@neu.example', change: true }
  await here.does('juggle renee@neu.example, that is her new one', call('s1', 'contact.add', args))
  expect((await onlyOne(here)).full).toContain(`${composed} · renee@kurz.example`)
})

it('a contact that changed behind the card is asked about again', async () => {
  const here = planned()
  await here.does('juggle Lena, lena@kurz.example, into my people', LENA)
  const other = call('s1', 'contact.add', { name: 'Lena', email: 'lena@neu.example', change: true })
  await here.does('juggle lena@neu.example, that is her new one', other)
  const card = await onlyOne(here)
  await here.say('change the address of Lena to lena@mitte.example')
  expect(await contacts(here)).toContain('lena@mitte.example')
  await answer(here, card.id)
  expect(await contacts(here)).toContain('lena@mitte.example')
  expect((await onlyOne(here)).full).toContain('Lena · lena@mitte.example')
})

it('a plan that names nobody is refused', async () => {
  const here = planned()
  expect(
    await here.does('juggle somebody', call('s1', 'contact.add', { name: ref('said.person') })),
  ).not.toBe('done')
  expect(await here.does('juggle Lena', call('s1', 'contact.add', { name: 'Lena' }))).toBe(
    'tool_arguments_invalid',
  )
})
