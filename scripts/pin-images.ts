/**
 * `npm run pin-images`: pins the image tags in Containerfile and compose.yaml to their present digests, so that a
 * registry cannot exchange them. `--check` writes nothing and fails for an image without a digest or a tag that moved.
 * Writes only when all digests are known. Run by hand, where a registry can be reached.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Asked, askDigest, type Failure, type ImageReference, parseReference } from './image-registry.ts'

const ROOT = join(import.meta.dirname, '..')

/** Images built on this machine, which no registry has. */
const LOCAL = /^localhost\//
/** The one name in a Containerfile that is not an image. */
const EMPTY = 'scratch'

/** Splits a line into the text before the reference, the reference, and the rest. */
const FROM = /^(?<before>\s*FROM\s+(?:--\S+\s+)*)(?<reference>[^\s-]\S*)(?<after>.*)$/i
const COPY_FROM = /^(?<before>\s*COPY\s+(?:--\S+\s+)*--from=)(?<reference>\S+)(?<after>.*)$/i
const COMPOSE = /^(?<before>\s*image:\s*["']?)(?<reference>[^\s"'#]+)(?<after>.*)$/
const STAGE = /^\s+AS\s+(?<stage>\S+)/i

interface Line {
  readonly before: string
  readonly reference: string
  readonly after: string
}

/** Parsers per file: each line is either text to keep, or a line with a reference. */
const FILES: readonly {
  readonly file: string
  readonly read: (text: string) => readonly (string | Line)[]
}[] = [
  { file: 'Containerfile', read: readContainerfile },
  { file: 'compose.yaml', read: readCompose },
]

export interface PinOptions {
  readonly root: string
  readonly check: boolean
}

/** 0: pinned. 1: not pinned, moved or refused. 2: a registry cannot be reached. */
export interface Pinning {
  readonly code: 0 | 1 | 2
  readonly says: readonly string[]
}

export async function pinImages({ root, check }: PinOptions): Promise<Pinning> {
  const files = FILES.map(({ file, read }) => ({ file, lines: read(readFileSync(join(root, file), 'utf8')) }))
  const references = new Set(files.flatMap(({ lines }) => lines.flatMap((line) => referenceOf(line) ?? [])))
  const images = new Map<string, ImageReference>()
  for (const reference of references) {
    const image = parseReference(reference)
    if (image === null) return { code: 1, says: [`${reference}: not the name of an image`] }
    images.set(reference, image)
  }
  const unpinned = [...images.values()].filter(({ digest }) => digest === null)
  if (check && unpinned.length > 0)
    return { code: 1, says: unpinned.map(({ name }) => `${name}: not pinned by a digest`) }

  const answers = await askAll([...images.values()])
  const failures = [...answers.values()].flatMap((answer) => (answer.ok ? [] : [answer]))
  if (failures.length > 0) return failed(failures)
  const pinned = (reference: string): string => {
    const image = images.get(reference)
    const answer = answers.get(image?.name ?? '')
    return answer?.ok && image !== undefined && image.tag !== null
      ? `${image.name}@${answer.value}`
      : reference
  }
  const moved = [...references].filter((reference) => pinned(reference) !== reference)
  if (check)
    return { code: moved.length === 0 ? 0 : 1, says: moved.map((one) => `${one}: now ${pinned(one)}`) }
  for (const { file, lines } of files) writePinned(join(root, file), lines, pinned)
  return { code: 0, says: moved.map(pinned) }
}

/** Asks once per image, sequentially: a tag that moves between two requests would be pinned to two digests. */
async function askAll(images: readonly ImageReference[]): Promise<ReadonlyMap<string, Asked<string>>> {
  const answers = new Map<string, Asked<string>>()
  for (const image of images) if (!answers.has(image.name)) answers.set(image.name, await askDigest(image))
  return answers
}

function failed(failures: readonly Failure[]): Pinning {
  const refused = failures.filter(({ reason }) => reason === 'refused')
  if (refused.length > 0) return { code: 1, says: refused.map(({ says }) => says) }
  const hosts = new Set(failures.map(({ says }) => says))
  return { code: 2, says: [`Nothing was changed: ${[...hosts].join(', ')}.`] }
}

function referenceOf(line: string | Line): string | null {
  return typeof line === 'string' ? null : line.reference
}

function writePinned(path: string, lines: readonly (string | Line)[], pinned: (one: string) => string): void {
  const text = lines
    .map((line) => (typeof line === 'string' ? line : `${line.before}${pinned(line.reference)}${line.after}`))
    .join('\n')
  if (text !== readFileSync(path, 'utf8')) writeFileSync(path, text)
}

/** A reference to an earlier stage, by name or number, is not an image. */
function readContainerfile(text: string): readonly (string | Line)[] {
  const stages = new Set<string>([EMPTY])
  return text.split('\n').map((line) => {
    const from = lineOf(FROM, line)
    const copied = lineOf(COPY_FROM, line)
    const found = from ?? copied
    const isStage = found !== null && (stages.has(found.reference.toLowerCase()) || isNumber(found.reference))
    const stage = STAGE.exec(from?.after ?? '')?.groups?.['stage']
    if (stage !== undefined) stages.add(stage.toLowerCase())
    return found === null || isStage || LOCAL.test(found.reference) ? line : found
  })
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text)
}

function readCompose(text: string): readonly (string | Line)[] {
  return text.split('\n').map((line) => {
    const found = lineOf(COMPOSE, line)
    return found === null || LOCAL.test(found.reference) ? line : found
  })
}

function lineOf(shape: RegExp, line: string): Line | null {
  const { before, reference, after = '' } = shape.exec(line)?.groups ?? {}
  return before === undefined || reference === undefined ? null : { before, reference, after }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const { code, says } = await pinImages({ root: ROOT, check: values.check })
  for (const line of says) console.log(line)
  process.exitCode = code
}
