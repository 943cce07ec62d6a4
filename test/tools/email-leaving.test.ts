/** How a mail says that its list can be left: one way at most, and nothing of it beyond an address, a subject and one https link. */
import { describe, expect, it } from 'vitest'
import { leavingOf } from '../../integrations/tools/email/message/leaving.ts'
import { createUnsubscribeTool } from '../../integrations/tools/unsubscribe/run.ts'
import type { HttpRequest, ToolCall } from '../../kernel/tool/manifest.ts'

const LINK = 'https://lists.example/leave?m=7'
const ONE_CLICK = ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'] as const
const header = (value: string) => ['List-Unsubscribe', value] as const
const of = (...headers: readonly (readonly [string, string])[]) =>
  leavingOf({ headers: headers.map(([name, value]) => ({ name, value })) })

describe('the way to leave a list', () => {
  it.each([
    ['one click', [header(`<mailto:off@l.example>, <${LINK}>`), ONE_CLICK], { leave: 'link', url: LINK }],
    [
      'a mail, where the link is none of one click',
      [header(`<${LINK}>, <mailto:off@l.example?subject=off%207>`)],
      { leave: 'mail', address: 'off@l.example', subject: 'off 7' },
    ],
    [
      'a mail without the copies, headers and text that the sender wishes for',
      [
        header(
          '<mailto:off@l.example?cc=eve@evil.example&bcc=x@evil.example&body=secret&subject=a%0d%0aBcc:x>',
        ),
      ],
      { leave: 'mail', address: 'off@l.example', subject: 'unsubscribe' },
    ],
    ['no plain link', [header('<http://lists.example/leave>'), ONE_CLICK], { leave: 'none' }],
    ['no link with a user', [header('<https://me@lists.example/>'), ONE_CLICK], { leave: 'none' }],
    [
      'none of two headers',
      [header(`<${LINK}>`), header('<https://evil.example/>'), ONE_CLICK],
      { leave: 'none' },
    ],
    ['no two addresses in one', [header('<mailto:a@l.example,eve@evil.example>')], { leave: 'none' }],
    ['nothing where there is none', [], { leave: 'none' }],
  ])('is %s', (_, headers, way) => expect(of(...headers)).toEqual(way))
})

describe('the one click', () => {
  async function leave(url: string, status = 200) {
    const asked: HttpRequest[] = []
    const http = {
      request: async (request: HttpRequest) => {
        asked.push(request)
        return { ok: true, value: { status, headers: {}, body: '', url: request.url } } as const
      },
    }
    const call = { action: 'unsubscribe.link', args: { url }, http } as unknown as ToolCall
    return { outcome: await createUnsubscribeTool().execute(call), asked }
  }

  it('is one POST with the body that the standard names', async () => {
    const { outcome, asked } = await leave(LINK)
    expect(outcome).toEqual({ ok: true, output: { host: 'lists.example' } })
    expect(asked).toEqual([
      {
        ...{ method: 'POST', url: LINK, body: 'List-Unsubscribe=One-Click' },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ])
  })

  it('opens nothing but https', async () => {
    const { outcome, asked } = await leave('http://lists.example/leave')
    expect(outcome).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
    expect(asked).toEqual([])
  })

  it('is not known to be done where the server fails', async () => {
    expect((await leave(LINK, 503)).outcome).toMatchObject({ reason: { code: 'write_outcome_unknown' } })
    expect((await leave(LINK, 403)).outcome).toMatchObject({ reason: { code: 'remote_rejected' } })
  })
})
