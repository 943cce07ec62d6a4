/** Words that ask for the next part of what was just shown, by whatever package. Data only. Called by phrases. */

export const MORE = [
  '(more|some more|more of it|more of that|more of them|show more|show me more|next page|the next page|next part|the next part|next ones|the next ones|read on|keep reading|keep going|go on|carry on|continue)',
  '(read|show|give|tell|list) [me] [some] (more|on|the rest|the others|the remaining ones|the next ones|the next page|the next part) [of (it|that|them)]',
  '(the rest|the rest of it|the others|is there more|are there more)',
]
export const MORE_GERMAN = [
  '(mehr|noch mehr|weiter|weitere|weiterlesen|mehr davon|nächste seite|die nächste seite|der nächste teil|die nächsten|die übrigen|die restlichen|der rest|den rest|gibt es noch mehr)',
  '(lies|lese|zeig|zeige|gib) [mir] [bitte] [noch] (mehr|mehr davon|weiter|weitere|den rest|die nächsten|die übrigen|die restlichen|die nächste seite|den nächsten teil) [davon]',
]
