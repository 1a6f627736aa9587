package algorithm

// What of the states of jayanti makes no difference.

// normalize drops what has become useless, and skips what makes no difference.
func (j *jayanti) normalize(state []byte) {
	shared := state[j.shared:]
	// Toggles are only compared with that of X.
	shared[jayantiSToggle] ^= shared[jayantiToggle]
	shared[jayantiToggle] = 0
	for p := range j.Processes {
		pc := &state[j.first+p*j.block+blockPC]
		if *pc < jayantiPush {
			j.skipUpdate(state, p, pc)
		} else {
			j.skipScan(state, p, pc)
		}
		// Arrays are empty that nobody will read before they are overwritten.
		if filling := *pc >= jayantiRead && *pc <= jayantiSetFilled; !filling && int(shared[jayantiFilled]) != p+1 {
			put(j.ownOf(state, p), jayantiA, 0)
		}
		if int(shared[jayantiCleared]) != p+1 {
			j.emptyCells(state, p, *pc)
		}
	}
}

// skipUpdate has an update that cannot forward its value any more go to the VL
// that will tell it so: because X has changed, or because the array to which it
// is about to store is not that of the round. A store to that could only have its
// process, which may be clearing it, do so again.
func (j *jayanti) skipUpdate(state []byte, p int, pc *byte) {
	shared, local := state[j.shared:], j.localOf(state, p)
	late := !linked(shared, jayantiXLink, p) && (*pc == jayantiCellLoad || *pc == jayantiCellValid) ||
		*pc == jayantiCellStore && shared[jayantiCleared] != local[jayantiSaved]
	if late {
		unlink(shared, jayantiXLink, p)
		unlink(j.cell(state, int(local[jayantiSaved]-1), j.mine(p)), 1, p)
		*pc, local[jayantiRound] = jayantiCellValid, 0
	}
}

// skipScan has a scan whose SC to X will fail go to its next LL(X): until then
// it writes only its own arrays, which are read only if that SC succeeds, and SS
// only if it finds X unchanged. And one whose SC to SS will fail goes to what
// follows that.
func (j *jayanti) skipScan(state []byte, p int, pc *byte) {
	shared, local := state[j.shared:], j.localOf(state, p)
	round := local[jayantiRound]
	if (*pc == jayantiValidSS || *pc == jayantiStoreSS) && !linked(shared, jayantiSLink, p) {
		clear(local)
		*pc, local[jayantiRound] = jayantiAdvance, round
	}
	if linked(shared, jayantiXLink, p) || *pc == jayantiStoreSS {
		return
	}
	switch {
	case *pc >= jayantiClearLoad && *pc <= jayantiSetCleared:
		for i := range j.segments {
			unlink(j.cell(state, p, i), 1, p)
		}
		*pc = jayantiPush2
	case *pc >= jayantiRead && *pc <= jayantiSetFilled:
		*pc = jayantiPush3
	case *pc >= jayantiTakeA && *pc <= jayantiAdvance:
		unlink(shared, jayantiSLink, p)
		if *pc = jayantiPush; round == 1 {
			*pc = jayantiReturn
		}
		round = 1
	default:
		return
	}
	clear(local)
	local[jayantiRound] = round
}

// emptyCells clears those cells of b that will be cleared again, or never read:
// all, but those that the process has just cleared, which may have been written
// since by the variant with the bug.
func (j *jayanti) emptyCells(state []byte, p int, pc byte) {
	from := 0
	switch pc {
	case jayantiClearLoad, jayantiClearStore:
		from = int(j.localOf(state, p)[jayantiIndex])
	case jayantiSetCleared:
		return
	}
	for i := from; i < len(j.segments); i++ {
		j.cell(state, p, i)[0] = 0
	}
}

// private: an array a is read by others only when its process has stored to X,
// and then does not change before X does. A cell of a b is written, but by the
// process that clears it, only by an update of its segment that has seen X as it
// is now, or is about to store. And links are of no use when X changes.
//
// A scan that may store to SS finds that X is unchanged: X is advanced by those
// who found SS written, and then the scan may not.
func (j *jayanti) private(state []byte, p int) bool {
	block := state[j.first+p*j.block:]
	if !linked(state[j.shared:], jayantiXLink, p) {
		return false
	}
	index := int(j.localOf(state, p)[jayantiIndex])
	switch block[blockPC] {
	case jayantiCellLoad, jayantiFill, jayantiTakeA, jayantiLoadSS, jayantiValidSS:
		return true
	case jayantiClearLoad, jayantiClearStore:
		return !j.aboutToStore(state, p+1, index)
	case jayantiTakeB:
		return !j.aboutToStore(state, int(state[j.shared+jayantiCleared]), index)
	}
	return false
}

// aboutToStore reports whether an update will store to a cell of the b of a
// process, given as p+1, without another look at X.
func (j *jayanti) aboutToStore(state []byte, who, index int) bool {
	writer := j.segments[index]
	pc, saved := state[j.first+writer*j.block+blockPC], j.localOf(state, writer)[jayantiSaved]
	return (pc == jayantiCellStore || pc == jayantiCellWrite) && int(saved) == who
}

func (j *jayanti) rename(state []byte, to []uint8) {
	shared := state[j.shared:]
	renameSet(shared, jayantiXLink, to)
	renameSet(shared, jayantiSLink, to)
	renameOne(&shared[jayantiFilled], to)
	renameOne(&shared[jayantiCleared], to)
	for p := range j.Processes {
		for i := range j.segments {
			renameSet(j.cell(state, p, i), 1, to)
		}
		if pc := state[j.first+p*j.block+blockPC]; pc >= jayantiCellLoad && pc <= jayantiCellWrite {
			renameOne(&j.localOf(state, p)[jayantiSaved], to)
		}
	}
}

// renameOne renames a process in a register that has p+1 for process p.
func renameOne(b *byte, to []uint8) {
	if *b != 0 {
		*b = to[*b-1] + 1
	}
}

// renameSet renames the processes of a set.
func renameSet(b []byte, i int, to []uint8) {
	old := at(b, i)
	var set View
	for p, q := range to {
		set |= View(old.Bit(p)) << q
	}
	put(b, i, set)
}
