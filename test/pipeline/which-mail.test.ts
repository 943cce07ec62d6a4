/** Which of several mails words mean, at home without a language model: the one whose sender or subject has them, before one that only cites them. */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const mail = (id: string, fromName: string, from: string, subject: string, snippet = '') => ({
  ...{ id, fromName, from, subject, snippet },
  ...{ date: '2026-11-20T08:00:00Z', unread: true, hasAttachments: false },
})

type Mail = ReturnType<typeof mail> & { readonly to?: string }

/** The owner's own copy is the newest, and cites the other. */
const MAILS: readonly Mail[] = [
  {
    ...mail('own', '', 'me@home.example', 'Fwd: Invoice 2214', 'Harbour Hosting wrote: the fares of Nord'),
    to: 'tom@x.example',
  },
  mail('harbour', 'Harbour Hosting', 'billing@harbour.example', 'Invoice 2214'),
  mail('trip', 'Nordbahn', 'info@bahn.example', 'Nordlichter: invoice'),
  mail('nord', 'Bank', 'info@nord.example', 'Your invoice is paid'),
]

const filed: ScriptedTool = ({ ids }) => ({
  ok: true,
  output: { emails: [], changed: String(ids).length, gone: 0 },
})

type Args = Readonly<Record<string, unknown>>

function having(
  mails: readonly Mail[] = MAILS,
  listed: (args: Args) => readonly Mail[] = () => mails,
): World {
  return createWorld({
    models: [createRulesModel({ place: 'home', home: HOME_RULES })],
    tools: {
      'email.list': (args) => ({ ok: true, output: { emails: [...listed(args)], more: false } }),
      'email.search': (args) => ({ ok: true, output: { emails: [...listed(args)], more: false } }),
      'email.read': ({ id }) => {
        const {
          unread: _,
          snippet: __,
          ...head
        } = mails.find((one) => one.id === id) ?? mail('x', '', '', '')
        const rest = { to: ['me@home.example'], truncated: false, links: [], dates: [], requests: [] }
        return { ok: true, output: { ...head, ...rest, body: `Body of ${String(id)}` } }
      },
      'email.file': filed,
      'email.which': ({ ids, folder }) =>
        folder === 'None'
          ? err('mail_folder_missing', { folder: 'named' })
          : {
              ok: true,
              output: {
                mails: MAILS.filter(({ id }) => String(ids).includes(id)).map((one) => ({
                  ...{ fromName: one.fromName, from: one.from, subject: one.subject, date: one.date },
                  ...('to' in one && { to: one.to }),
                })),
              },
            },
    },
  })
}

describe('of what a search found', () => {
  it.each([
    ['the harbour one', 'harbour'],
    ['the one from Harbour', 'harbour'],
    ['read the harbour one', 'harbour'],
    ['die von Harbour', 'harbour'],
    ['the nord one', 'nord'],
    ['the nordlichter one', 'trip'],
  ])('%s', async (said, id) => {
    const world = having()
    await world.say('find the invoice')
    await world.say(said)
    expect(world.heard()).toContain(`Body of ${id}`)
  })
})

describe('a sender of several words', () => {
  const OTHERS = [
    // Words of any request, in a mail of somebody else.
    mail('bill', 'Kessel', 'billing@kessel.example', 'Invoice', 'Please pay this one; the mail of the week'),
    mail('soups', 'The Weekend Kitchen', 'news@kitchen.example', 'Ten soups'),
  ]

  it.each([
    'show me the weekend kitchen one',
    'read the mail from the weekend kitchen',
    'read the one from the weekend kitchen',
    'lies die Mail von Weekend Kitchen',
  ])('is found though another mail was shown: %s', async (said) => {
    const world = having(OTHERS, ({ words }) => (words === 'invoice' ? OTHERS.slice(0, 1) : OTHERS))
    await world.say('find the invoice')
    await world.say(said)
    expect(world.heard()).toContain('Body of soups')
  })

  it.each(['read the one from great north rail', 'open the mail from Great North Rail'])(
    'is looked for beyond the list that is shown: %s',
    async (said) => {
      const rail = mail('rail', 'Great North Rail', 'bookings@rail.example', 'Your booking')
      const many = Array.from({ length: 13 }, (_, at) => mail(`m${at}`, 'Tom', 'tom@x.example', `Note ${at}`))
      const all = [...many, rail]
      const world = having(all, ({ count = 10 }) => all.slice(0, Number(count)))
      await world.say(said)
      expect(world.heard()).toContain('Body of rail')
    },
  )
})

describe('the card', () => {
  it('says to whom a mail of the owner went, and no quotation mark stands for a sender without a name', async () => {
    const world = having()
    await world.say('find the invoice')
    await world.say('move the first one to the folder receipts')
    expect(world.heard()).toContain('me@home.example · tom@x.example · Fwd: Invoice 2214')
    expect(world.heard()).not.toContain('" ·')
  })

  it('is not shown for a folder that is not there: the answer says how to make it', async () => {
    const world = having()
    await world.say('find the invoice')
    await world.say('move the second one to the folder None')
    expect(world.heard()).toContain('You have no folder or label of that name')
    expect(await world.ports.approvals.list('principal:owner')).toEqual([])
  })
})
