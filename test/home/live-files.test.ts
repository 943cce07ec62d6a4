/** Home reads files with the readers of the bot that is connected now (H-13, B-27): they come and go with it. */
import { expect, it } from 'vitest'
import type { ChannelDeclaration } from '../../integrations/channels/runtime/declaration.ts'
import type { HomeChat } from '../../integrations/channels/runtime/home-package.ts'
import { SLACK_CHANNEL } from '../../integrations/channels/slack/channel.ts'
import { TELEGRAM_CHANNEL } from '../../integrations/channels/telegram/channel.ts'
import type { FilePort } from '../../kernel/features/files/file-port.ts'
import { liveFiles } from '../../sidecar/channels/home-sender.ts'

const reader = { id: 'speech', locality: 'home', level: 'regulated', compartments: 'all' } as const
const files: FilePort = {
  ...{ hears: reader, reads: ['pdf', 'voice'] },
  text: async ({ ref }) => ({ ok: true, value: { text: ref } }),
  picture: async ({ ref }) => ({ ok: true, value: { mediaType: 'image/png', data: ref } }),
}
const chat = (declaration: ChannelDeclaration, now: () => object | null) => ({
  declaration,
  now: now as () => HomeChat | null,
})
const FILE = { ref: 'r', sink: 'sink:telegram:private', kind: 'pdf' } as const

it('the file port is that of the bot which is connected now', async () => {
  let bot: { readonly files: FilePort } | null = null
  const port = liveFiles([chat(TELEGRAM_CHANNEL, () => bot)])
  const none = [port.hears, port.reads, await port.text(FILE, 1)]
  expect(none).toMatchObject([undefined, undefined, { ok: false, reason: { code: 'sink_unknown' } }])
  bot = { files }
  expect([port.hears, port.reads]).toEqual([reader, ['pdf', 'voice']])
  expect(await port.text(FILE, 1)).toEqual({ ok: true, value: { text: 'r' } })
  expect(await port.picture?.(FILE, 1)).toMatchObject({ ok: true, value: { data: 'r' } })
  bot = null
  expect([port.hears, port.reads]).toEqual([undefined, undefined])
  expect(await port.picture?.(FILE, 1)).toMatchObject({ ok: false, reason: { code: 'sink_unknown' } })
})

it('the file port refuses files from the owner’s app at Slack', async () => {
  const port = liveFiles([chat(TELEGRAM_CHANNEL, () => ({ files })), chat(SLACK_CHANNEL, () => ({}))])
  const file = { ...FILE, sink: 'sink:slack:private' }
  const refusal = { ok: false, reason: { code: 'tool_unknown' } }
  expect([await port.text(file, 1), await port.picture?.(file, 1)]).toMatchObject([refusal, refusal])
})
