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
  ; The app itself takes toolwire:// links, when it starts. Another copy may have taken them since.
  ReadRegStr $0 HKCU "Software\Classes\toolwire\shell\open\command" ""
  ${if} $0 == '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
    DeleteRegKey HKCU "Software\Classes\toolwire"
  ${endif}
!macroend
