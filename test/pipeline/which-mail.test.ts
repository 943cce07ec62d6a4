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

/** The owner's own copy is the newest, and cites the other. */
const MAILS = [
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

function having(): World {
  return createWorld({
    models: [createRulesModel({ place: 'home', home: HOME_RULES })],
    tools: {
      'email.list': () => ({ ok: true, output: { emails: MAILS, more: false } }),
      'email.search': () => ({ ok: true, output: { emails: MAILS, more: false } }),
      'email.read': ({ id }) => {
        const {
          unread: _,
          snippet: __,
          ...head
        } = MAILS.find((one) => one.id === id) ?? mail('x', '', '', '')
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
