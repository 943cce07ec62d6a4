/** What is to be kept and stands elsewhere is no fact: code keeps none of it, and says what is missing; a model may plan to read it there. */
import { describe, expect, it } from 'vitest'
import { EXPLANATIONS } from '../../integrations/models/rules/words.ts'
import { plansOf } from './plans-of.ts'

interface Read {
  readonly fields: { readonly topic?: string; readonly intent: string }
  readonly plan: { readonly steps: readonly { readonly tool: string }[]; readonly explanation: string }
}

const read = (text: string): Read => JSON.parse(plansOf([text], false)[0] ?? '') as Read

describe('a thing to keep that points elsewhere', () => {
  it.each([
    "Note down the deadline from Sarah's mail for me.",
    "note the deadline in Sarah's mail",
    "remember the address from Tom's last message",
    "remember the meeting room from tomorrow's event",
    'write down the price on that page',
    'notier dir die Frist aus Sarahs Mail',
    'Merk dir, was in Toms Mail steht',
    'merk dir bitte die Adresse aus der Einladung von Tom',
    "remind me tomorrow of the deadline from Sarah's mail",
    "remind me of what's in the attachment tomorrow at 9",
    'erinner mich morgen an die Frist aus der Mail von Sarah',
    'put what Tom wrote on my list',
    "add the things from Sarah's email to my to-do list",
    'setz die Punkte aus Toms Mail auf meine Liste',
  ])('%s', (text) => {
    const { fields, plan } = read(text)
    expect(fields).not.toHaveProperty('topic')
    expect(plan).toEqual({ steps: [], explanation: 'stands_elsewhere' })
  })

  it('is said to be one', () => expect(EXPLANATIONS.stands_elsewhere).toMatch(/only a model can/))
})

describe('a thing to keep that says something itself', () => {
  it.each([
    ["remember that Sarah's mail is in the archive", 'memory.save'],
    ['remember that the key is in the file', 'memory.save'],
    ['note: the deadline is on the invitation, 5 December', 'memory.save'],
    ['remember the milk', 'memory.save'],
    ["remember to print the ticket from Tom's mail", 'task.add'],
    ["remind me tomorrow to answer Sarah's mail", 'reminder.set'],
    ['remind me tomorrow about the invoice in the mail from the plumber', 'reminder.set'],
    ["add answer Sarah's mail to my list", 'task.add'],
    ['setz Brief an Tom auf meine Liste', 'task.add'],
  ])('%s: %s', (text, tool) => expect(read(text).plan.steps).toMatchObject([{ tool }]))
})
