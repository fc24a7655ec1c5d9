/** Notes its effect; kills the process that asked for it when `kill.txt` names it. */
export const EFFECT = `
echo "$1 $2" >> effects.log
if [ "$(cat kill.txt 2>/dev/null)" = "$1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$2"
`;
