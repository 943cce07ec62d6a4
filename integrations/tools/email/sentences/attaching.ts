/** Sentences for mails with files: the owner's own, by name, and those of a forwarded mail. Data only. Called by phrases.ts. */
import type { Phrases } from '../../phrase.ts'
import { AMONG, found } from './found.ts'
import { forwardStep, replyStep, SHOWN, SHOWN_READ } from './shown-steps.ts'

/** Letters beyond ASCII, in the form that the sentence grammar uses. */
const LETTERS = '\\u00c0-\\u1fff\\u2c00-\\ud7ff'
/** File extensions, which distinguish a name from words. */
const ENDINGS =
  'md|markdown|txt|text|csv|tsv|pdf|html?|org|rst|log|json|ya?ml|tex|ics|vcf|xml|rtf|docx?|odt|ods|odp|xlsx?|pptx?|' +
  'png|jpe?g|gif|heic|webp|svg|tiff?|zip|gz|mp3|m4a|wav|mp4|mov|epub|pages|numbers|key'
/** A name with its extension, or any text in quotes. */
export const ATTACHED = `(?:["“„][^"“”„\\n]{1,150}["”“]|[\\w${LETTERS}][\\w${LETTERS}./()+-]{0,150}\\.(?:${ENDINGS}))`

/** A new mail with the files and these words; without words, the file name is the text. */
function sending(files: readonly string[], body: string) {
  return [
    {
      ...{ id: 's1', do: 'tool', tool: 'email.send' },
      args: { to: '{whom}', subject: '{attached}', body, files: [...files] },
    },
  ] as const
}

const ONE = ['{attached}']
const TWO = ['{attached}', '{attached_too}']

/** The same with additional words. */
function saying(sentences: readonly string[], tell: string): readonly string[] {
  return sentences.flatMap((sentence) => [
    `${sentence} ${tell} {topic} - <of_files>`,
    `${sentence} : {topic} - <of_files>`,
  ])
}

const EN_ONE = [
  '(<send>|mail|email|e-mail) [to] {whom} [a copy of] [the|my] [<document>] {attached}',
  '(<send>|mail|email|e-mail) [a copy of] [the|my] [<document>] {attached} to {whom}',
  '<attach> [the|my] [<document>] {attached} to a <letter> to {whom}',
  '<send> {whom} (a|an) <letter> with [the|my] [<document>] {attached} [attached]',
  '<send> (a|an) <letter> with [the|my] [<document>] {attached} [attached] to {whom}',
]
const DE_ONE = [
  '<send> [an] {whom} [die|meine|das|den] [<document>] {attached}',
  '<send> [die|meine|das|den] [<document>] {attached} [per mail] an {whom}',
  '(maile|mail) [die|meine|das|den] [<document>] {attached} an {whom}',
]
const EN_TWO = [
  '(<send>|mail|email|e-mail) [to] {whom} [the|my] [<documents>] {attached} and [the|my] {attached_too}',
  '(<send>|mail|email|e-mail) [the|my] [<documents>] {attached} and [the|my] {attached_too} to {whom}',
]
const DE_TWO = ['<send> [die|meine] [<documents>] {attached} und [die|meine] {attached_too} an {whom}']

export const ATTACHING_LISTS = {
  en: {
    document: ['file', 'document', 'pdf', 'picture', 'photo', 'image', 'spreadsheet', 'presentation'],
    documents: ['files', 'documents', 'pdfs', 'pictures', 'photos', 'images'],
    attach: ['attach', 'add', 'enclose'],
    /** This writes a file, which is sent to nobody. */
    of_files: ['(write|create|make|start) (a|an) [new] (file|document|note|text)'],
    alone: [
      'without attachments',
      'without the attachments',
      'without its attachments',
      'without the attachment',
      'without its attachment',
      'without any attachments',
      'without the files',
    ],
  },
  de: {
    of_files: ['(schreib|schreibe|erstell|erstelle|mach) (eine|einen) [neue|neuen] (datei|notiz|text)'],
    document: ['datei', 'pdf', 'dokument', 'bild', 'foto'],
    documents: ['dateien', 'dokumente', 'bilder', 'fotos'],
    alone: ['ohne anhang', 'ohne den anhang', 'ohne anhänge', 'ohne die anhänge'],
  },
}

export const ATTACHING: Phrases['asks'] = [
  {
    says: {
      en: saying(
        [
          '(<send>|mail|email|e-mail) [to] {whom} [the|my] [<document>] {attached} {when}',
          '(<send>|mail|email|e-mail) [the|my] [<document>] {attached} to {whom} {when}',
        ],
        '<saying>',
      ),
      de: ['<send> [an] {whom} {when} [die|meine] [<document>] {attached} : {topic}'],
    },
    later: sending(ONE, '{topic.whole}'),
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.send_later' },
        args: {
          ...{ at: '{when.from}', to: '{whom}', subject: '{attached}', body: '{topic.whole}' },
          files: ONE,
        },
      },
    ],
  },
  {
    says: { en: saying(EN_TWO, '<saying>'), de: saying(DE_TWO, '<saying>') },
    plan: sending(TWO, '{topic.whole}'),
  },
  {
    says: { en: saying(EN_ONE, '<saying>'), de: saying(DE_ONE, '<saying>') },
    plan: sending(ONE, '{topic.whole}'),
  },
  {
    says: {
      en: [
        '<draft> (a|an) <letter> to {whom} with [the|my] [<document>] {attached} <saying> {topic}',
        '<draft> (a|an) <letter> to {whom} with [the|my] [<document>] {attached} : {topic}',
      ],
      de: [
        '(entwirf|verfasse) eine <letter> an {whom} mit [der|dem|meiner] [<document>] {attached} : {topic}',
      ],
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.draft' },
        args: { to: '{whom}', subject: '{topic.head}', body: '{topic.whole}', files: ONE },
      },
    ],
  },
  { says: { en: EN_TWO, de: DE_TWO }, plan: sending(TWO, '{attached}') },
  { says: { en: EN_ONE, de: DE_ONE }, plan: sending(ONE, '{attached}') },
  {
    says: {
      en: [
        '<answer> [to] {thing} with [the|my] [<document>] {attached} <saying> {topic}',
        '<answer> [to] {thing} with [the|my] [<document>] {attached} : {topic}',
      ],
      de: ['<answer> [auf] {thing} mit [der|meiner|dem] [<document>] {attached} : {topic}'],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, replyStep({ files: ONE })],
  },
  {
    says: {
      en: [
        '<answer> with [the|my] [<document>] {attached} <saying> {topic}',
        '<answer> with [the|my] [<document>] {attached} : {topic}',
      ],
      de: ['<answer> mit [der|meiner|dem] [<document>] {attached} : {topic}'],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, replyStep({ files: ONE })],
  },
  {
    says: {
      en: ['<pass> {thing} to {whom} <alone>'],
      de: ['(leite|schick|schicke) {thing} <alone> [an] {whom} weiter'],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, forwardStep('s1', { attachments: 'none' })],
  },
  {
    says: { en: ['<pass> [<the_one>] {what} to {whom} <alone>'] },
    among: AMONG,
    plan: [
      ...found('{what}'),
      { id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's2.id' } } },
      forwardStep('s3', { attachments: 'none' }),
    ],
  },
]
