/**
 * `pfar brain list | show | edit | history | restore`: the directive files, read and written by their owner. Must not change a
 * file by itself: home keeps what only adds, and asks for a yes before lines go. Called by brain-program.ts.
 */
import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { ok, type ReasonCode, type Result } from '../../kernel/flow/verdict.ts'
import type { Edit, VersionView, Written } from '../../kernel/runtime/directive-desk.ts'
import { newMessage, showPut } from './approvals-command.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import { editText } from './editor.ts'
import type { Link } from './link.ts'
import { NEW_FILE, renderFiles, renderVersions, renderWritten } from './render-brain.ts'
import { terminalText } from './terminal-text.ts'

interface Named {
  readonly name: string
}

type EditOptions = Named & { readonly do: 'edit'; readonly cleanup: boolean; readonly append: boolean }

export type BrainOptions =
  | { readonly do: 'list'; readonly json: boolean }
  | (Named & { readonly do: 'show'; readonly version: number | null; readonly json: boolean })
  | (Named & { readonly do: 'history'; readonly json: boolean })
  | EditOptions
  | (Named & { readonly do: 'restore'; readonly version: number })

/** The owner at his keyboard. */
export interface Hand {
  /** The text that he writes, from what there is. */
  write(context: CommandContext, text: string): Promise<Result<string>>
  /** Whether he says yes, in one word; never where nobody sits at a terminal. */
  says(question: string): Promise<boolean>
}

export async function brainCommand(
  context: CommandContext,
  options: BrainOptions,
  hand: Hand = HAND,
): Promise<ExitCode> {
  const { screen } = context
  return onLine(context, { line: 'private', start: true }, async (link) => {
    const done = await run({ context, link, hand }, options)
    const said = done.ok ? undefined : SENTENCES[done.reason.code]
    if (said === undefined) return done
    screen.err(said)
    return ok(1)
  })
}

/** What to do, where the words for a chat would not say it. */
const SENTENCES: Partial<Readonly<Record<ReasonCode, string>>> = {
  directive_name:
    'That cannot be the name of a file. Names are capital letters and digits, with - or _ between: SOUL, TRAVEL-PLANS.',
  directive_unknown:
    'There is no such file or version. `pfar brain list` and `pfar brain history` show what there is.',
  directive_header: `A file begins with a header that says what it is for:\n${NEW_FILE}`,
  directive_shrinks:
    'That would take lines out, and nothing was changed. To do so: pfar brain edit --cleanup; you are shown the lines before they go.',
  directive_budget: 'There are as many files of your own as there may be. Empty one with --cleanup first.',
  field_too_large: 'That is too long for one file. Nothing was changed.',
  record_stale: 'The file was changed meanwhile. Nothing was written; look at it and try again.',
  secret_pasted:
    'There is a key or a token in that text. Directive files are read by models: keep it with `pfar secret set`.',
  nothing_found: 'Nothing was written.',
}

interface At {
  readonly context: CommandContext
  readonly link: Link
  readonly hand: Hand
}

function run(at: At, options: BrainOptions): Promise<Result<ExitCode>> {
  const { context, link } = at
  switch (options.do) {
    case 'list':
      return print(context, link.brain.list(), (files) => shaped(options.json, files, renderFiles))
    case 'show':
      return print(context, link.brain.show(options.name, options.version), (version) =>
        shaped(options.json, version, ({ text }) => terminalText(text).trimEnd()),
      )
    case 'history':
      return print(context, link.brain.history(options.name), (versions) =>
        shaped(options.json, versions, (all) => renderVersions(all, Date.now())),
      )
    case 'edit':
      return edit(at, options)
    case 'restore': {
      const { name, version } = options
      return tell(context, link, { name, done: link.brain.restore({ name, version, message: newMessage() }) })
    }
  }
}

async function print<T>(
  { screen }: CommandContext,
  asked: Promise<Result<T>>,
  render: (value: T) => string,
): Promise<Result<ExitCode>> {
  const found = await asked
  if (!found.ok) return found
  screen.out(render(found.value))
  return ok(0)
}

function shaped<T>(json: boolean, value: T, render: (value: T) => string): string {
  return json ? JSON.stringify(value, null, 2) : render(value)
}

async function edit({ context, link, hand }: At, options: EditOptions): Promise<Result<ExitCode>> {
  const { name, cleanup, append } = options
  const shown = await link.brain.show(name, null)
  if (!shown.ok && shown.reason.code !== 'directive_unknown') return shown
  const now: Pick<VersionView, 'version' | 'text'> = shown.ok ? shown.value : { version: 0, text: '' }
  const typed = await hand.write(context, now.text === '' ? NEW_FILE : now.text)
  if (!typed.ok) return typed
  const text = append ? now.text + typed.value : typed.value
  const change: Edit = { name, text, replaces: now.version, cleanup, message: newMessage() }
  const kept = await link.brain.edit(change)
  // What he wrote must not be lost for want of an option: saying so now is saying so.
  const again = !kept.ok && kept.reason.code === 'directive_shrinks' && (await hand.says(LINES_GO))
  const done = again ? link.brain.edit({ ...change, cleanup: true }) : Promise.resolve(kept)
  return tell(context, link, { name, done })
}

const LINES_GO = 'That takes lines out. Put them on a card, for your yes? [y/N] '

/** What stdin holds, or what the owner leaves in his editor. */
const HAND: Hand = {
  write: ({ environment }, text) =>
    process.stdin.isTTY === true ? editText(environment, text) : readAll(process.stdin).then(ok),
  async says(question) {
    if (process.stdin.isTTY !== true) return false
    const asking = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return /^y(?:es)?$/i.test((await asking.question(question)).trim())
    } finally {
      asking.close()
    }
  },
}

async function tell(
  context: CommandContext,
  link: Link,
  { name, done }: { readonly name: string; readonly done: Promise<Result<Written>> },
): Promise<Result<ExitCode>> {
  const written = await done
  if (!written.ok) return written
  for (const line of renderWritten(name, written.value)) context.screen.out(line)
  const { approval } = written.value
  return approval === null ? ok(0) : showPut(context, link, approval)
}
