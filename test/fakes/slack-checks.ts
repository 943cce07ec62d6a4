/**
 * What the scripted Slack holds a message to, as strictly as the documents of the real one say: text, blocks, buttons. Throws a
 * `SlackError`. Called by slack-server.ts.
 */

/** Slack's own name of what is wrong. */
export class SlackError extends Error {
  readonly status: number
  readonly retryAfter: number | null
  constructor(name: string, status = 200, retryAfter: number | null = null) {
    super(name)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export interface ShownButton {
  readonly type: 'button'
  readonly action_id: string
  readonly text: { readonly text: string }
}
export interface ShownBlock {
  readonly type: string
  readonly text?: { readonly type: string; readonly text: string }
  readonly elements?: readonly ShownButton[]
}

/** Characters, and pieces. */
const LIMITS = {
  text: 40_000,
  blocks: 50,
  section: 3_000,
  action: 255,
  button: 75,
  value: 2_000,
  elements: 25,
}

type Fields = Readonly<Record<string, unknown>>

export function checkText(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '') throw new SlackError('no_text')
  if (text.length > LIMITS.text) throw new SlackError('msg_too_long')
  checkEscapes(text)
  return text
}

export function checkBlocks(blocks: unknown): readonly ShownBlock[] {
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > LIMITS.blocks)
    throw new SlackError('invalid_blocks')
  for (const block of blocks as readonly Fields[]) {
    if (block['type'] === 'section') {
      onlyKeys(block, ['type', 'text', 'block_id'])
      checkObject(block['text'], LIMITS.section)
    } else if (block['type'] === 'actions') checkActions(block)
    else throw new SlackError('invalid_blocks')
  }
  return blocks as readonly ShownBlock[]
}

function checkActions(block: Fields): void {
  onlyKeys(block, ['type', 'elements', 'block_id'])
  const elements = block['elements']
  if (!Array.isArray(elements) || elements.length < 1 || elements.length > LIMITS.elements)
    throw new SlackError('invalid_blocks')
  const ids = new Set<unknown>()
  for (const button of elements as readonly Fields[]) {
    onlyKeys(button, ['type', 'text', 'action_id', 'value', 'style'])
    const { type, action_id: id, value = '' } = button
    if (type !== 'button' || typeof id !== 'string' || id === '' || id.length > LIMITS.action)
      throw new SlackError('invalid_blocks')
    if (typeof value !== 'string' || value.length > LIMITS.value || ids.has(id))
      throw new SlackError('invalid_blocks')
    ids.add(id)
    if ((button['text'] as Fields | undefined)?.['type'] !== 'plain_text')
      throw new SlackError('invalid_blocks')
    checkObject(button['text'], LIMITS.button)
  }
}

/** A text object. */
function checkObject(given: unknown, most: number): void {
  const object = (given ?? {}) as Fields
  const { type, text } = object
  onlyKeys(object, ['type', 'text', ...(type === 'mrkdwn' ? ['verbatim'] : ['emoji'])])
  if (!['mrkdwn', 'plain_text'].includes(String(type)) || typeof text !== 'string')
    throw new SlackError('invalid_blocks')
  if (text === '' || text.length > most) throw new SlackError('invalid_blocks')
  checkEscapes(text)
}

/** Whatever stands between these brackets would be a link, a mention or a command. */
function checkEscapes(text: string): void {
  const unescaped = /&(?!(?:amp|lt|gt);)|<|(?<!^|\n)>/
  if (unescaped.test(text)) throw new SlackError('unescaped_control_character')
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text))
    throw new SlackError('invalid_utf8')
}

function onlyKeys(fields: Fields, keys: readonly string[]): void {
  if (Object.keys(fields).some((key) => !keys.includes(key))) throw new SlackError('invalid_blocks')
}
