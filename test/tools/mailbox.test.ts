/** Whose address a header gives: the sole mailbox by RFC 5322, found before anything is decoded, or none (J-04). */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { addressesIn, soleMailbox } from '../../integrations/tools/email/message/mailbox.ts'
import { shapeListed, shapeRead } from '../../integrations/tools/email/shape.ts'
import { spoken } from '../language/fixtures.ts'
import { mailboxByGrammar } from './mailbox-grammar.ts'

const EVE = 'eve@evil.example'
const SARAH = 'sarah.chen@northwind.example'
/** `<sarah.chen@northwind.example>` */
const HIDDEN = '=?utf-8?q?=3Csarah.chen=40northwind.example=3E?='

const mail = (...from: readonly string[]) => ({
  id: 'm1',
  internalDate: '1764000000000',
  payload: { headers: from.map((value) => ({ name: 'From', value })) },
})

async function readOf(...from: readonly string[]): Promise<string> {
  const read = await shapeRead(mail(...from), () => '')
  if (!read.ok) throw new Error(read.reason.code)
  return answerFor(spoken('read it', [['email.read', JSON.parse(JSON.stringify(read.value))]]))
}

describe('the sender that a person reads', () => {
  it('is the mailbox, when a comment hides another in an encoded word', async () => {
    const read = await readOf(`Sarah Chen (Northwind) (${'sent with care '.repeat(14)}) <${EVE}> (${HIDDEN})`)
    expect(read.split('\n')[0]).toBe(`From: Sarah Chen (${EVE})`)
  })

  it.each([
    ['two mailboxes', [`Sarah Chen <${SARAH}>, <${EVE}>`]],
    ['two headers', [SARAH, EVE]],
    ['no header', []],
    ['a name alone', ['Sarah Chen']],
    ['a name that fills the line', [`${'Sarah Chen '.repeat(50)}`]],
  ])('is said to be unclear for %s', async (_, from) => {
    const [line = ''] = (await readOf(...from)).split('\n')
    expect(line).toMatch(/^From: .*\(sender unclear\)$/)
    const listed = shapeListed(mail(...from))
    expect(listed.ok && listed.value).toMatchObject({ senderUnclear: true })
    expect(listed.ok && Object.hasOwn(listed.value, 'from')).toBe(false)
  })
})

describe('a header with exactly one mailbox', () => {
  it.each([
    [EVE, EVE, ''],
    [`<${EVE}>`, EVE, ''],
    [`Eve <${EVE}>`, EVE, 'Eve'],
    [`"Lin, Sarah" <${EVE}>`, EVE, 'Lin, Sarah'],
    [`"Sarah \\"S\\" Lin" <${EVE}>`, EVE, 'Sarah "S" Lin'],
    [`${EVE} (Eve)`, EVE, 'Eve'],
    [`John Q. Public <${EVE}>`, EVE, 'John Q. Public'],
    [`${SARAH} <${EVE}>`, EVE, SARAH],
    [`Sarah\r\n Chen\r\n <${EVE}>`, EVE, 'Sarah  Chen'],
    [`=?utf-8?B?w4RyZ2Vy?= =?utf-8?Q?_und_Co?= <${EVE}>`, EVE, 'Ärger und Co'],
    // A phrase that decodes to an address is a phrase.
    [`${HIDDEN} <${EVE}>`, EVE, `<${SARAH}>`],
    [`"${HIDDEN}" <${EVE}>`, EVE, `<${SARAH}>`],
    [`"<${SARAH}>" <${EVE}>`, EVE, `<${SARAH}>`],
    [`(a "b) Eve <${EVE}>`, EVE, 'Eve'],
  ])('%s: %s, %j', (header, address, name) => {
    expect(soleMailbox([header])).toEqual({ address, name })
    expect(mailboxByGrammar(header)).toEqual([address])
  })
})

describe('a header without one has no address', () => {
  it.each([
    ['two', `${SARAH}, ${EVE}`],
    ['two, parted as some programs do', `${SARAH}; ${EVE}`],
    ['two in brackets', `Sarah <${SARAH}> <${EVE}>`],
    ['one, and more after it', `<${SARAH}> ${EVE}`],
    ['a group', `Friends: ${SARAH};`],
    ['a group of two', `Friends: ${SARAH}, ${EVE};`],
    ['a group within', `${SARAH}, Friends: ${EVE};`],
    ['an encoded word alone', HIDDEN],
    ['an encoded word in brackets', `<=?utf-8?q?sarah=40northwind.example?=>`],
    ['an encoded bracket', `Sarah =?utf-8?q?=3C?=${SARAH}=?utf-8?q?=3E?=`],
    ['one in a quoted string', `"Sarah <${SARAH}>"`],
    ['a quoted string without end', `"Sarah <${SARAH}>`],
    ['a comment without end', `Sarah (x <${SARAH}>`],
    ['one in a comment', `Sarah (<${SARAH}>)`],
    ['brackets in a comment beside one', `${SARAH} ( <${EVE}> )`],
    ['a comment that two readers end differently', `(a (b) <${EVE}>) ${SARAH}`],
    ['a comment in a comment', `(a (b) \\) "c) Eve <${EVE}>`],
    ['a comment inside', `<sarah(x)@northwind.example>`],
    ['a route', `<@relay.example:${SARAH}>`],
    ['a backslash outside', `Sarah \\<${SARAH}>`],
    ['a quoted local part', `<"sarah chen"@northwind.example>`],
    ['a fold inside', `<sarah.chen@\r\n northwind.example>`],
    ['a null byte before it', `\u0000"Sarah" <${SARAH}>`],
    ['a space of another kind', `\u00a0${SARAH}`],
    ['a null byte', `<sarah.chen\u0000@northwind.example>`],
    ['more than a header holds', `${SARAH}${' '.repeat(10_000)}, ${EVE}`],
    ['nothing', ''],
    ['brackets without end', '<'.repeat(9_000)],
  ])('%s', (_, header) => expect(soleMailbox([header]).address).toBeNull())

  it('and neither has one of two headers, nor one beside a header with a space in its name', () => {
    expect(soleMailbox([SARAH, SARAH])).toEqual({ address: null, name: '' })
    const spaced = mail(SARAH)
    spaced.payload.headers.push({ name: 'from ', value: EVE })
    const listed = shapeListed(spaced)
    expect(listed.ok && listed.value.senderUnclear).toBe(true)
  })
})

describe('recipients', () => {
  it.each([
    [['a@b.example, "C, D" <c@d.example>'], ['a@b.example', 'c@d.example']],
    [[`Friends: ${SARAH}, "x" <${EVE}>;`], [SARAH, EVE]],
    [[`${HIDDEN}, x <${EVE}>`], [EVE]],
    [
      [`x (${HIDDEN}) <${EVE}>`, SARAH],
      [EVE, SARAH],
    ],
    [[`<@relay.example,@b.example:${SARAH}>`], []],
    [[`${'x'.repeat(10_000)}, ${EVE}`], []],
    [['undisclosed-recipients:;'], []],
  ])('%j: %j', (headers, addresses) => expect(addressesIn(headers)).toEqual(addresses))
})

describe('whatever a header holds', () => {
  const pieces = fc.constantFrom(
    ...[SARAH, EVE, HIDDEN, '=?utf-8?B?PA==?=', 'Sarah', 'a', '@', '.', '<', '>', '(', ')', '"', '\\', ','],
    ...[';', ':', ' ', '\r\n ', '\t', 'é', '\u202e', '\u0000', '[', ']', '=?utf-8?q?=28?='],
  )
  const header = fc.oneof(
    { weight: 4, arbitrary: fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join('')) },
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  it('an address given out is the sole mailbox by the grammar', () => {
    fc.assert(
      fc.property(header, (text) => {
        const { address } = soleMailbox([text])
        if (address !== null) expect(mailboxByGrammar(text)).toEqual([address])
      }),
      { numRuns: 5_000 },
    )
  })

  it('a recipient stands in it as it was sent', () => {
    fc.assert(
      fc.property(header, (text) => {
        for (const address of addressesIn([text])) expect(text).toContain(address)
      }),
      { numRuns: 1_000 },
    )
  })
})
