/** Who asks what needs an answer, or for a summary of unread mail, gets the digest; who asks for mail gets the list, and who writes a mail gets neither. */
import { expect, it } from 'vitest'
import { plansOf } from './plans-of.ts'

function toolsFor(text: string): readonly string[] {
  const [plan = ''] = plansOf([text], false)
  return [...plan.matchAll(/"tool":"([a-z._]+)"/g)].map(([, tool = '']) => tool)
}
const isAsking = (text: string): boolean => /"asking":true/.test(plansOf([text], false)[0] ?? '')

it.each([
  'what needs an answer?',
  'What still needs a reply from me?',
  'which mails do I have to answer?',
  'which emails need a reply?',
  'show me the mails that need an answer',
  'who is waiting for an answer from me',
  'was muss ich beantworten?',
  'Welche Mails muss ich noch beantworten?',
  'wer wartet noch auf eine Antwort von mir?',
])('what asks alone: %s', (text) => {
  expect(toolsFor(text)).toEqual(['email.digest'])
  expect(isAsking(text)).toBe(true)
})

it.each([
  'summarise my unread mail',
  'please summarize my unread emails',
  'give me a summary of my unread mail',
  'fass meine ungelesenen Mails zusammen',
  'gib mir einen Überblick über meine neuen Mails',
])('all that is unread: %s', (text) => {
  expect(toolsFor(text)).toEqual(['email.digest'])
  expect(isAsking(text)).toBe(false)
})

it.each([
  ['any new mail?', 'email.list'],
  ['show me my unread emails', 'email.list'],
  ['which mails came today?', 'email.list'],
  ['summarise my mails from Tom', 'email.list'],
  ['did Sarah answer?', 'email.list'],
])('no digest: %s', (text, tool) => {
  expect(toolsFor(text)).toContain(tool)
  expect(toolsFor(text)).not.toContain('email.digest')
})
