/** Without a model: no event of two is made, and nobody is put on a list who is to be among the people (`checks/astray.ts`). */
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const made = (text: string): readonly string[] => {
  const { calls, asked } = readingOf(text)
  return [...calls, ...(asked ?? [])].map(({ tool }) => tool)
}

it.each([
  'put dinner with Sam on friday at 7 in my work calendar and lunch with Mira on Saturday at 1pm in the family one',
  'add dinner with Sam on Friday at 7pm to the work calendar and lunch with Mira on Saturday at 1pm to the family calendar',
])('makes no single event of two: %s', (text) => {
  expect(made(text).filter((tool) => tool === 'calendar.create_event')).not.toHaveLength(1)
})

it.each(['add Lena as a contact', 'add Lena to my contacts', 'nimm Lena als Kontakt auf'])(
  'puts nobody on the list: %s',
  (text) => {
    expect(made(text)).not.toContain('task.add')
  },
)

it.each([
  ['add contact lenses to my list', 'task.add'],
  ['lunch friday at 1 and bring the slides', 'calendar.create_event'],
  ['book dinner with Sam and Mira on friday at 7', 'calendar.create_event'],
])('still does what it is about: %s', (text, tool) => {
  expect(made(text)).toContain(tool)
})
