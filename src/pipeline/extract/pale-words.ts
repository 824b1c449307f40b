// Words that carry a sentence but no topic: fillers of English, and function words of languages that the index does not
// stem. English function words are dropped before (kit/stop-words.ts).
const ENGLISH = `
able actually add added ago almost already alright also although always another anyone anything anyway april around
ask asked august away back bad basically become behind best better big bit bring call came change check come comes
cool couple course day days december definitely different don't done end ends even every everyone everything far
february feel find fine finish finished first follow forget forgetting forgot found friday full gave get gets
getting give given go goes going gone gonna good got great guess guys haha hand happen happened happy hard help hey
hmm honestly hope hours idea important inside interesting january july june keep kept kind knew know known last
later least left less let like literally little long look looked looking looks lose lost lot lots love made main
make makes making many march matter maybe mean means might minutes moment monday month months morning must name need
needed needs never new next nice night nothing november october okay old one ones open part people place please plus
point pretty probably put question quite rather read ready real right run said saturday saw say says second see seem
seems seen send sent september set shares show side since small somebody someone something soon sorry sort sound
sounds start started stay step still stuff sunday sure take taken takes tell thank thanks thing things think thought
three thursday time times today together told tomorrow tonight took total totally tried try trying tuesday turn two
use used uses using via want wanted wants way ways wednesday week weeks well went whole without wonder word work
worked working works world worth would wow write wrong yay year years yes yesterday yet`

const OTHERS = `
aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein dem
den denn der des dich die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines
er es etwas euch für gegen hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre im immer in ins
ist ja jede jeden jeder jetzt kann kein keine können man mehr mein meine mich mir mit muss müssen nach nicht noch
nun nur ob oder ohne schon sehr sein seine seit sich sie sind so soll sollen über um und uns unser unter viel vom
von vor war waren warum was weil wenn wer werden wie wieder will wir wird wo wurde wurden zu zum zur zwischen
alors au aux avec ce ces cette comme dans de des du elle elles en encore est et été être fait faire ici il ils je la
le les leur lui mais me même mes moi mon ne nous on ont ou où par pas plus pour qu que quel qui sa sans se ses si
son sont sur ta te tes toi ton tous tout très tu un une vos votre vous
al algo como con cual cuando del desde donde el ella ellos en entre era eran es esa ese eso esta está están este
esto estos fue ha hasta hay la las le les lo los más me mi muy nada ni no nos nosotros nuestra nuestro o para pero
por porque que qué quien se ser si sin sobre son su sus también te tiene todo todos tu un una uno y ya yo
alla alle anche che chi come con cosa da dal dalla degli dei del della delle dello di dove ed era gli ha hanno ho ma
nel nella nelle non nostro per perché più quando quello questa questo sono sua suo sul sulla tutti tutto una uno ao
aos às até com dos das ele ela eles elas em essa esse esta este foi isso já mais mas mesmo muito na não nas nem no
nos ou para pela pelo por quando que quem são se sem seu sua também tem um uma você vocês
aan als bij dan dat de deze die dit door dus een en er geen had heb hebben heeft het hij hoe hun ik in is je kan
maar me meer met mijn na naar niet nog nu of om onder ons onze ook op over te toen tot uit van veel voor waar wat we
wel werd wij wordt worden zal ze zich zij zijn zo
без был была были было быть вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же за из или им
их как ко когда кто ли мы на над нас не него нет но ну об он она они оно от по под при про раз с со так там то того
тоже только том ты уже у чего что чтобы эта эти это этот`

/** Words that are never a tag, in lower case. */
export const PALE_WORDS: ReadonlySet<string> = new Set(
  `${ENGLISH} ${OTHERS}`.split(/\s+/).filter((word) => word !== ''),
)
