/**
 * Folders of mail as their owner has them, at a home without a model: named, made after a card, filled, looked into and searched, at a real Dovecot and in the
 * demo's mailbox; in English and German. The same words are about files once a folder of files is named.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '../kit/folder.ts'
import { type Dovecot, HAS_DOVECOT, OWNER, putMail } from '../kit/mail-servers.ts'
import { cardAt, connectMail } from './mail-bench.ts'
import { createBench } from './terminal-bench.ts'

const bench = createBench({ env: { TZ: 'UTC' } })
const said = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''
/** Asked, approved, and what was said then. */
const approved = async (text: string): Promise<string> => {
  const { number, card } = await cardAt(bench, text)
  const { out } = await bench.pfar('approve', number)
  return `${card}\n${out}`
}
afterAll(async () => {
  await bench.stop()
  await bench.remove()
})

// Without Debian's dovecot-imapd there is no server to be at.
describe.runIf(HAS_DOVECOT)('at a Dovecot', () => {
  let dovecot: Dovecot
  beforeAll(async () => {
    ;({ dovecot } = await connectMail(bench))
    // The first look makes the mailbox.
    await said('check my email')
    putMail(dovecot, '1', ['From: Rail <tickets@rail.example>', 'Subject: Receipt'], 'Two tickets: 58 EUR.')
    putMail(dovecot, '2', ['From: Zoe <zoe@z.example>', 'Subject: Lunch'], 'Friday?')
  })

  test('they are named with their counts', async () => {
    expect(await said('what folders do I have?')).toMatch(
      /^Your mail folders:\n- INBOX: 2 mails, 2 unread\n- Sent: 0 mails\n- Drafts: 0 mails\n/,
    )
  })

  test('one that is not there is said, and nothing is looked into in its place', async () => {
    expect(await said("what's in my receipts folder?")).toContain(
      'You have no mail folder or label of that name',
    )
    expect(await said('search the taxes folder for invoice')).toContain(
      'no mail folder or label of that name',
    )
  })

  test('one is made after a card with its name and the account, and none beside it that reads alike', async () => {
    const { number, card } = await cardAt(bench, 'make a folder called Receipts')
    expect(card).toMatch(/Make this folder, or label, in your mailbox/)
    expect(card).toContain('its whole name: Receipts')
    expect(card).toContain(`in the account: ${OWNER}`)
    expect(await said('what folders do I have?')).not.toContain('Receipts')
    await bench.pfar('approve', number)
    await expect.poll(() => said('what folders do I have?')).toContain('- Receipts: 0 mails')
    await bench.pfar('approve', number)
    expect(await said('make a folder called receipts')).toContain(
      'You have a mail folder of that name already',
    )
    expect(await said('make a folder called Home/Receipts')).toContain('A mail folder cannot have that name')
  })

  test('a mail goes there by the name alone, is found there, and comes back', async () => {
    await said('check my email')
    const { report } = await bench.ask('read the one from Rail')
    expect(report.reply).toContain('58 EUR')
    expect(await approved('move that to receipts')).toContain('folder: receipts')
    expect(await said("what's in my receipts folder?")).toMatch(/^1 mail in Receipts, .*\n1\. Rail: Receipt/)
    expect(await said('search my receipts folder for tickets')).toMatch(
      /^1 mail found in Receipts:\n1\. Rail/,
    )
    expect(await said('search my receipts folder for lunch')).toBe(
      'I found no mail with “lunch” in Receipts.',
    )
    expect(await said("what's in my inbox?")).not.toContain('Rail')
    await said('read the one from Zoe')
    await said("what's in my receipts folder?")
    expect(await said('read the first one')).toContain('58 EUR')
    const back = await approved('put it back into the inbox')
    expect(back).toContain('to: the inbox')
    // The server gave it another id when it was filed: who sent it, and what about, is looked up.
    expect(back).toMatch(/\n {2}mail: Rail · tickets@rail\.example · Receipt · /)
    await expect.poll(() => said("what's in my receipts folder?")).toBe('There is no mail in Receipts.')
  })

  test('in German, with an umlaut and without', async () => {
    expect(await approved('leg einen Ordner namens Bücher an')).toContain('Bücher')
    await expect.poll(() => said('welche Ordner habe ich?')).toContain('- Bücher: 0')
    expect(await said('zeig mir die Mails im Ordner Buecher')).toMatch(
      /In Bücher ist keine Mail|no mail in Bücher/,
    )
  })

  test('once a folder of files is named, the same words are about it, and those about mail are not', async () => {
    const notes = join(newFolder('mail-folders'), 'notes')
    mkdirSync(join(notes, 'receipts'), { recursive: true })
    writeFileSync(join(notes, 'receipts', 'train.txt'), 'ticket')
    expect(await bench.pfar('connect', 'files', notes)).toMatchObject({ code: 0 })
    await bench.stop()
    await bench.start('--no-demo', '--only', 'home')
    expect(await said("what's in my receipts folder?")).toContain('train.txt')
    expect(await said('show me the mails in my receipts folder')).toBe('There is no mail in Receipts.')
  })
})

describe('in the mailbox of the demo', () => {
  const demo = createBench({ env: { TZ: 'UTC' } })
  beforeAll(async () => void (await demo.start('--only', 'home')))
  afterAll(async () => {
    await demo.stop()
    await demo.remove()
  })
  const told = async (text: string): Promise<string> =>
    ((await demo.ask(text)).report.reply ?? '').replace(/\n\nThat is the demo mailbox\.$/, '')

  test('labels are named, looked into, searched and made', async () => {
    expect(await told('what folders do I have?')).toMatch(
      /- inbox: 7 mails.*\n[\s\S]*- Receipts: 1 mail\n- Taxes: 1 mail$/,
    )
    expect(await told("what's in my receipts folder?")).toMatch(
      /^1 mail in Receipts, .*\n1\. Northern Rail: Receipt/,
    )
    expect(await told('search the taxes folder for plumber')).toMatch(
      /^1 mail found in Taxes:\n1\. Ada Winter/,
    )
    expect(await told('search the taxes folder for dog')).toBe('I found no mail with “dog” in Taxes.')
    const { number, card } = await cardAt(demo, 'make a folder called Travel')
    expect(card).toContain('its whole name: Travel')
    expect(card).toContain('in the account: you@demo.example')
    await demo.pfar('approve', number)
    await expect.poll(() => told('welche Ordner habe ich?')).toContain('- Travel: 0')
  })
})
