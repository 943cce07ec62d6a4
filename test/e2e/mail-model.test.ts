/**
 * Mail as its owner asks for it with a model, at a home whose planner is a server of one's own and whose mailbox is the demo's: what was not found in one
 * language is looked for in the other, and what is not there ends no request (DESIGN §10).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servePlanner, setPlanner } from './planning-model.ts'
import { createBench } from './terminal-bench.ts'

const bench = createBench()

const search = (id: string, value: string) => ({
  ...{ id, do: 'tool', tool: 'email.search' },
  args: [{ name: 'words', value }],
})
const OTHERWISE = [
  { id: 's1', do: 'tool', tool: 'email.list', args: [] },
  { id: 's2', do: 'select', from: 's1.emails', matching: 'Quentin', take: 'all' },
  { id: 's3', do: 'tool', tool: 'email.archive', args: [{ name: 'ids', ref: 's2.id' }] },
  { ...search('s4', 'Offsite'), when: { ref: 's3', is: 'skipped' } },
]
/** All that follows the search needs the mail that it did not find. */
const FROM_MAIL = [
  search('s1', 'dentist'),
  { id: 's2', do: 'tool', tool: 'email.read', args: [{ name: 'id', ref: 's1.emails[0].id' }] },
  { id: 's3', do: 'extract', from: 's2.body', kind: 'date', question: 'When does it begin?' },
  {
    ...{ id: 's4', do: 'tool', tool: 'calendar.create_event' },
    args: [
      { name: 'title', value: 'Dentist' },
      { name: 'from', ref: 's3' },
      { name: 'to', ref: 's3' },
    ],
  },
]
const asked: string[] = []
const plans = () => asked.filter((prompt) => prompt.includes('plan the reads alone'))
const model = await servePlanner(({ text, last, isPlan }) => {
  asked.push(text)
  const steps = text.includes('nothing_found')
    ? [last.includes('dentist wrote') ? search('s5', 'Dental') : search('s2', 'Invoice')]
    : last.includes('dentist wrote')
      ? FROM_MAIL
      : last.includes('Rechnung')
        ? [search('s1', 'Rechnung')]
        : OTHERWISE
  return isPlan ? JSON.stringify({ steps }) : 'That is all.'
})

beforeAll(async () => {
  setPlanner(bench.folder, model)
  await bench.start('--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await model.close()
})

const outcomes = async (text: string) => {
  const { report } = await bench.ask(text)
  expect(report.task).toMatchObject({ trouble: null, approval: null })
  return report.task.steps.map(({ tool, outcome }) => `${tool} ${outcome}`)
}

test('a search that finds nothing is made once more in the language of the mail', async () => {
  const text = 'Irgendwo ist doch die Rechnung für unseren Server, worum ging es da nochmal?'
  expect(await outcomes(text)).toEqual(['email.search done', 'email.search done'])
  expect(plans()).toHaveLength(2)
  // What was found is for the writer alone.
  expect(plans().join()).not.toContain('Invoice 2214')
  expect(asked.at(-1)).toContain('Invoice 2214')
})

test('where there is nothing to archive, the “otherwise” of the request is done', async () => {
  const text = 'If anything from Quentin is there put it away, otherwise look for the offsite, somehow.'
  expect(await outcomes(text)).toEqual(['email.list done', 'email.archive skipped', 'email.search done'])
  expect(asked.at(-1)).toContain('Offsite: agenda draft')
})

test('what was planned with the mail that was not found ends no second search', async () => {
  const { report } = await bench.ask('The dentist wrote something, put that appointment where it belongs.')
  const done = report.task.steps.filter(({ outcome }) => outcome === 'done')
  expect(done.map(({ tool }) => tool)).toEqual(['email.search', 'email.search'])
  expect(asked.at(-1)).toContain('Dental')
})
