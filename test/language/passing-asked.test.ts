/** An attachment of one mail that goes with another: whose mail, which file and to whom, of people's sentences; and what is none of that. */
import { expect, it } from 'vitest'
import { plansOf } from './plans-of.ts'

const plan = (text: string): string => plansOf([text], true)[0] ?? ''
/** What is named, with the words that a reference points at. */
const filesIn = (text: string): readonly string[] => {
  const [, named = ''] = /"files":\[([^\]]*)\]/.exec(plan(text)) ?? []
  return [...named.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one)
}
const toolsIn = (text: string): readonly string[] =>
  [...plan(text).matchAll(/"tool":"([a-z._]+)"/g)].map(([, tool = '']) => tool)

it.each([
  ["send tom@x.example the PDF from Sarah's mail", 'PDF'],
  ["send the signed contract from Sarah's mail to tom@x.example", 'signed contract'],
  ["email tom@x.example the offer.pdf from Sarah's email: here it is", 'offer.pdf'],
  ['send tom@x.example the invoice from the mail from Sarah', 'invoice'],
  ['schick tom@x.example den Vertrag aus der Mail von Sarah', 'Vertrag'],
  ['schick das PDF aus der ersten Mail an tom@x.example', 'PDF'],
])('a new mail with one of them: %s', (text, file) => {
  expect(toolsIn(text).slice(-2)).toEqual(['email.read', 'email.send'])
  expect(filesIn(text)).toEqual([file])
  expect(plan(text)).toMatch(/"filesFrom":\{"\$ref":"s\d\.id"\}/)
})

it('of somebody’s mails, the newest that has attachments', () => {
  expect(plan("send tom@x.example the PDF from Mira's mail")).toMatch(
    /"matching":"Mira","take":"first","where":\{"equals":true,"field":"hasAttachments"\}/,
  )
})

it('all of them, where no file is named', () => {
  const all = plan("send tom@x.example the attachments from Sarah's mail")
  expect(all).toMatch(/"filesFrom":\{"\$ref":"s\d\.id"\}/)
  expect(all).not.toContain('"files":')
})

it.each([
  "reply to Ann with the contract from Sarah's mail: here it is",
  "answer Ann with the contract from Sarah's email",
  'antworte Ann mit dem Vertrag aus der Mail von Sarah: hier ist er',
])('an answer with one of them: %s', (text) => {
  expect(toolsIn(text).slice(-3)).toEqual(['email.read', 'email.list', 'email.reply'])
  const [, read] = /"filesFrom":\{"\$ref":"(s\d)\.id"\}/.exec(plan(text)) ?? []
  const [, answered] = /"id":\{"\$ref":"(s\d)\.id"\},"replyTo"/.exec(plan(text)) ?? []
  expect(read).toBeDefined()
  expect(answered).toBeDefined()
  expect(answered).not.toBe(read)
})

it.each([
  ['send Tom the link from my notes', 'email.send'],
  ["send Tom the address from Sarah's mail", 'email.send'],
  ['forward the mail from Sarah to tom@x.example', 'email.send'],
])('none of it: %s', (text, tool) => expect(toolsIn(text)).not.toContain(tool))
