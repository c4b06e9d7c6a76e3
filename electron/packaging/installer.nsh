; What electron-builder's own installer does not do: collections. Windows knows files by their last extension only, so
; that .json stays with whoever has it; Toolwire is offered under "Open with", and in the menu of a folder.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Toolwire.Collection" "" "Toolwire collection"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Toolwire.Collection\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Toolwire.Collection\shell\open\command" "" '"$appExe" "%1"'
  WriteRegNone SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Toolwire.Collection"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Toolwire" "" "Open as Toolwire collection"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Toolwire" "Icon" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Toolwire\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Toolwire.Collection"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Toolwire.Collection"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Directory\shell\Toolwire"
!macroend
